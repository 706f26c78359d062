import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keywordMatcher } from "../../../../src/sources/rules/matching/keywords.ts";
import { cpuSeconds } from "../../../support/cpu-time.ts";

const has = (word: string, prompt: string) => keywordMatcher([word])(prompt).length === 1;

describe("keywords", () => {
  it.each([
    ["test", "run the tests", true],
    ["test", "Testing, please", true],
    ["test", "a contest", false],
    ["test", "snake_test", false],
    ["test", "unit-test", true],
    ["test", "(test)", true],
    ["TEST", "test", true],
    ["c++", "in C++17", true],
    ["a.b", "axb", false],
    ["(", "f(x)", true],
    ["$&", "$&", true],
    ["[a-z]", "b", false],
    ["überprüfen", "Bitte ÜBERPRÜFEN", true],
    ["prüf", "überprüfen", false],
    ["cafe\u0301", "ein café", true],
    ["дом", "Домой", true],
    ["дом", "бездомный", false],
    ["οδος", "ΟΔΟΣΑ", true],
    ["测试", "请写测试代码", true],
    ["test", "请写test", true],
    ["𝒳", "a 𝒳", true],
    ["b", "𝒳b", false],
  ])("%s in %j: %s", (word, prompt, expected) => {
    expect(has(word, prompt)).toBe(expected);
  });

  it.each([
    ["/plan", "/plan this", true],
    ["/plan", "please /plan", true],
    ["/plan", "see docs/plan.md", false],
    ["/plan", "https://plan", false],
    [".env", "edit .env now", true],
    [".env", "src/.env", true],
    [".env", "prod.env", true],
    [".env", "..env", false],
    [".ts", "fix index.ts", true],
    ["@x", "ask @x", true],
    ["@x", "me@x.org", false],
    ["#12", "repo#12", true],
    ["#12", "##12", false],
    ["-f", "built-for", false],
    ["--force", "push --force", true],
    ["--force", "---force", false],
  ])("that begin with a sign: %s in %j: %s", (word, prompt, expected) => {
    expect(has(word, prompt)).toBe(expected);
  });

  it("of several words accept any white space between them", () => {
    expect(has("code  review", "a Code\n\treviewer")).toBe(true);
    expect(has("code review", "codereview")).toBe(false);
  });

  it("are returned as they were written, in their order", () => {
    expect(keywordMatcher(["Beta", "gamma", "ALPHA"])("alpha beta")).toEqual(["Beta", "ALPHA"]);
  });

  it("of white space alone never match", () => {
    expect(has("  ", "a  b")).toBe(false);
  });

  it("of any characters are found if they are separate words", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: "grapheme" }), (word) => {
        fc.pre(word.trim() !== "");
        expect(has(word, `x ${word} y`)).toBe(true);
      }),
    );
  });

  it("are searched in linear time", () => {
    const spent = cpuSeconds(() => {
      expect(has(`${"a".repeat(50)}b`, "a".repeat(200_000))).toBe(false);
      expect(has("a a a a a b", "a ".repeat(100_000))).toBe(false);
    });
    expect(spent).toBeLessThan(2);
  });
});
