import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../support/child.ts";

it("the threat model names only tests that exist", () => {
  const rows = readFileSync(join(ROOT, "docs", "security.md"), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| ") && line.split("|").length === 6);
  const named = rows.slice(1).flatMap((row) => [...(row.split("|")[4] ?? "").matchAll(/`([\w/-]+)`/g)]);
  const missing = named
    .map(([, name = ""]) => name)
    .filter(
      (name) => !["", ".test.ts", "/laws.test.ts"].some((end) => existsSync(join(ROOT, "test", name + end))),
    );
  expect(named.length).toBeGreaterThan(20);
  expect(missing).toEqual([]);
});
