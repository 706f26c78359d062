import { expect, it } from "vitest";
import { sentenceCase } from "../../../../../src/sources/profile/learning/extraction/language.ts";
import { heardIn } from "./said.ts";

it.each([
  ["always run the tests", "Always run the tests"],
  ["make sure that nothing is printed", "Make sure that nothing is printed"],
  ["don't push", "Don't push"],
  ["immer pnpm verwenden", "Immer pnpm verwenden"],
  ["éviter les emojis", "Éviter les emojis"],
])("a sentence that begins with a word begins with a capital: %s", (text, shown) => {
  expect(sentenceCase(text)).toBe(shown);
});

it.each([
  "pnpm statt npm verwenden",
  "npm ではなく pnpm を使ってください",
  "main ブランチに直接 push しない",
  "getUser has to be async",
  "src/api has no tests",
  "moment.js is banned",
  "snake_case for columns",
  "e2e tests run at night",
])("a name keeps its letters: %s", (text) => {
  expect(sentenceCase(text)).toBe(text);
});

it("a suggestion is spelled as the person spelled it", () => {
  expect(heardIn("pnpm statt npm verwenden, immer.")[0]?.content).toMatch(/^pnpm /);
});
