import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createFileAtomic } from "../../src/store/create-file.ts";
import { temporaryFolder } from "../support/world.ts";

it("a file is created whole, with its folder, and nothing is left beside it", () => {
  const folder = join(temporaryFolder(), "new");
  expect(createFileAtomic(join(folder, "a"), "text")).toBe(true);
  expect(readFileSync(join(folder, "a"), "utf8")).toBe("text");
  expect(readdirSync(folder)).toEqual(["a"]);
});

it("a file that is there is not replaced", () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "a"), "mine");
  expect(createFileAtomic(join(folder, "a"), "text")).toBe(false);
  expect(readFileSync(join(folder, "a"), "utf8")).toBe("mine");
  expect(readdirSync(folder)).toEqual(["a"]);
});
