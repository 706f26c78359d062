import { expect, it } from "vitest";
import { costOf } from "../../src/cli/cost.ts";

it.each([
  [0, "no tokens"],
  [1, "about 1 token, less than 0.1% of a context of 200,000"],
  [479, "about 479 tokens, 0.2% of a context of 200,000"],
  [12_000, "about 12000 tokens, 6.0% of a context of 200,000"],
  [50_000, "about 50000 tokens, 25% of a context of 200,000"],
])("says what %i tokens are worth", (tokens, text) => {
  expect(costOf(tokens)).toBe(text);
});
