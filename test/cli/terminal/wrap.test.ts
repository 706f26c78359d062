import fc from "fast-check";
import { expect, it } from "vitest";
import { paintedForTerminal, paintFor, unpainted } from "../../../src/cli/terminal/paint.ts";
import { PLAIN } from "../../../src/cli/terminal/screen.ts";
import { widthOf } from "../../../src/cli/terminal/width.ts";
import { wrap, wrapMarkdown, wrapOn } from "../../../src/cli/terminal/wrap.ts";

const SCREEN = { ...PLAIN, width: 40, isTerminal: true, isFitted: true };

it("text on a terminal is broken between words; a word that is longer stays whole", () => {
  expect(wrapOn(`one two ${"x".repeat(45)} three`, SCREEN)).toBe(`one two\n${"x".repeat(45)}\nthree`);
});

it("following lines are indented", () => {
  expect(wrapOn(`  - ${"word ".repeat(9)}`, SCREEN, { hang: 2 })).toBe(
    "  - word word word word word word word\n    word word",
  );
});

it("text in a file or a pipe stays as it is", () => {
  const text = "word ".repeat(100);
  expect(wrapOn(text, PLAIN)).toBe(text);
});

it("each line has its own colours", () => {
  const text = wrapOn(paintFor({ hasColour: true })("bold", "word ".repeat(9).trim()), SCREEN);
  for (const line of paintedForTerminal(text).split("\n")) {
    expect(line).toMatch(/\u001b\[1m/);
    expect(line).toMatch(/\u001b\[0m$/);
  }
});

it("no word is lost, and no line with several words is too wide", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 })), (words) => {
      const text = words.map((word) => word.replace(/\s/g, "_")).join(" ");
      const lines = unpainted(wrap(text, { width: 40, hang: 0 })).split("\n");
      expect(lines.join("").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
      for (const line of lines) if (line.includes(" ")) expect(widthOf(line)).toBeLessThanOrEqual(40);
    }),
  );
});

it("breaks a long text without spaces in Chinese or Japanese, but no path", () => {
  expect(wrap("日本語のタイトル", { width: 8, hang: 2 })).toBe("日本語\n  のタイ\n  トル");
  expect(wrap("see /a/long/path/to/a/file", { width: 8, hang: 0 })).toBe("see\n/a/long/path/to/a/file");
});

it("Markdown keeps code and tables, and indents what follows a list item", () => {
  const screen = { ...PLAIN, width: 12, isTerminal: true, isFitted: true };
  const text =
    "- one two three\n12. one two three\none two three\n| a table stays |\n```\nalso any code\n```";
  expect(wrapMarkdown(text, screen)).toBe(
    "- one two\n  three\n12. one two\n    three\none two\nthree\n| a table stays |\n```\nalso any code\n```",
  );
  expect(wrapMarkdown(text, PLAIN)).toBe(text);
});
