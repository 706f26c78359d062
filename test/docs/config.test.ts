import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { CONFIG_PAGE, withTable } from "../../scripts/config-docs.ts";

it("docs/config.md has every setting as its schema says (update: node scripts/config-docs.ts)", () => {
  const page = readFileSync(CONFIG_PAGE, "utf8");
  expect(page).toBe(withTable(page));
});
