import { expect, it } from "vitest";
import { costOf } from "../../../src/moments/given/cost.ts";

it.each([
  [0, "no tokens"],
  [1, "about 1 token, less than 0.1% of a 200,000-token context (assumed)"],
  [479, "about 479 tokens, 0.2% of a 200,000-token context (assumed)"],
  [12_000, "about 12,000 tokens, 6.0% of a 200,000-token context (assumed)"],
  [50_000, "about 50,000 tokens, 25% of a 200,000-token context (assumed)"],
])("says what %i tokens are worth", (tokens, text) => {
  expect(costOf(tokens)).toBe(text);
});

it("counts against the size of the context, if the agent gives it", () => {
  expect(costOf(2_720, 272_000)).toBe("about 2,720 tokens, 1.0% of a 272,000-token context");
});
