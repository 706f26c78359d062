import { describe, expect, it } from "vitest";
import { namesIn, numbersIn, wishWords } from "../../../../src/sources/profile/learning/wish-words.ts";

/** The content words, with `+` for wanted ones and `-` for unwanted ones. */
function signed(text: string): string {
  return wishWords(text)
    .filter((one) => one.isContent)
    .map(({ word, sign }) => ["-", "", "+"][sign + 1] + word)
    .join(" ");
}

describe("the words of a wish", () => {
  it.each([
    ["Always use pnpm", "+pnpm"],
    ["Never push to main", "-push main"],
    ["Don’t mock the database in tests", "-mock -database tests"],
    ["No emoji", "-emoji"],
    ["Indent with tabs, not spaces", "+indent +tabs -spaces"],
    ["Use fetch instead of axios", "+fetch -axios"],
    ["Don't use fetch instead of axios", "-fetch +axios"],
    ["I prefer composition over inheritance", "+composition -inheritance"],
    ["I prefer Python to bash", "+python -bash"],
    ["I prefer to use pnpm", "+pnpm"],
    ["I prefer tests to be short", "+tests +short"],
    ["Don't commit without asking", "commit +asking"],
    ["Commit without asking", "+commit -asking"],
    ["Leave the main branch alone", "-leave -main -branch"],
    ["Skip the recap", "+skip -recap"],
    ["Never skip a test", "-skip -test"],
    ["Lines must not be longer than 100 characters", "+lines 100 characters"],
    ["Never use --no-verify", "---no-verify"],
  ])("are wanted or not: %s", (text, expected) => {
    expect(signed(text)).toBe(expected);
  });
});

describe("the names in a wish", () => {
  it.each([
    ["Use pnpm", ["pnpm"]],
    ["Answer in German", ["german"]],
    ["I want you to write `fooBar`", ["foobar"]],
    ["Put it into docs/design or CHANGELOG.md", ["docs/design", "changelog"]],
    ["Keep answers short", []],
    ["Pass --force. Then ask", ["--force"]],
  ])("are tools, languages, paths and identifiers: %s", (text, expected) => {
    expect([...namesIn(text)].sort()).toEqual([...expected].sort());
  });
});

describe("the numbers in a wish", () => {
  it("are the same in words and digits", () => {
    expect(numbersIn("at most twenty lines in 3 files, Node 22.1")).toEqual(new Set(["20", "3", "22.1"]));
    expect(numbersIn("one thing at a time")).toEqual(new Set());
  });
});
