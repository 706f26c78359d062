import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../support/child.ts";

it("no file of the command line imports both hosts and sources, or an entry point", () => {
  const folder = join(ROOT, "src", "cli");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  );
  const mixed = files.filter((name) => {
    const text = readFileSync(join(folder, name), "utf8");
    const imported = [...text.matchAll(/(?:from|import\()\s*"((?:\.\.\/)+[^"]+)"/g)].map(
      ([, path = ""]) => path,
    );
    const from = (layer: string) =>
      imported.some((path) => path.includes(`/${layer}/`) && !path.endsWith("/hosts/names.ts"));
    return (from("hosts") && from("sources")) || from("entries");
  });
  expect(files.length).toBeGreaterThan(40);
  expect(mixed).toEqual([]);
});
