import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isOwnName } from "../../src/cli/commands/install/own-data.ts";
import { ROOT } from "../support/child.ts";

it("everything that docs/design/state.md names below the home may be deleted by uninstall --data", () => {
  const [, table = ""] =
    /\n(\| path [^\n]*\n(?:\|[^\n]*\n)+)/.exec(
      readFileSync(join(ROOT, "docs", "design", "state.md"), "utf8"),
    ) ?? [];
  const named = table
    .split("\n")
    .flatMap((row) => /^\| `([^`]+)`/.exec(row)?.[1] ?? [])
    .map((path) => (path.split("/")[0] ?? "").replaceAll(/<[^>]*>/g, "0"));
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((name) => !isOwnName(name))).toEqual([]);
});
