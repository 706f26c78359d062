import { describe, expect, it } from "vitest";
import { clip, clipWithin, collapse } from "../../src/base/text.ts";

/** The twelve helpers that these functions have replaced. */
const before = {
  line: (text: string) => text.replace(/\s+/g, " ").trim(),
  clip: (text: string, most: number) =>
    text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text,
  within: (text: string, most: number) =>
    text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`,
};

const TEXTS = [
  "",
  "short",
  "exactly te",
  "eleven char",
  "  two \n\n lines\tand a tab \u00a0\u2028 more ",
  "nine char😀 and more",
  "ten chars.😀",
  "\ud83d alone",
];

describe("text helpers", () => {
  it.each(TEXTS)("return the same as the replaced helpers: %j", (text) => {
    expect(collapse(text)).toBe(before.line(text));
    for (const most of [1, 9, 10, 11, 300]) {
      expect(clip(text, most)).toBe(before.clip(text, most));
      expect(clipWithin(text, most)).toBe(before.within(text, most));
    }
  });

  it("cut at the limit, with the mark after it or within it", () => {
    expect(clip("abcdef", 6)).toBe("abcdef");
    expect(clip("abcdef", 5)).toBe("abcde…");
    expect(clip("abcdef", 5, " …")).toBe("abcde …");
    expect(clipWithin("abcdef", 6)).toBe("abcdef");
    expect(clipWithin("abcdef", 5)).toBe("abcd…");
  });

  it("never leave half a character, and write the same bytes as a plain cut", () => {
    const cut = clip("ab😀cd", 3);
    expect(cut.isWellFormed()).toBe(true);
    expect(Buffer.from(cut)).toEqual(Buffer.from(`${"ab😀cd".slice(0, 3)}…`));
  });

  it("collapse every run of white space", () => {
    expect(collapse(" a \n\t b\u2028c ")).toBe("a b c");
  });
});
