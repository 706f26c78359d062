import { describe, expect, it } from "vitest";
import { cutFrontmatter } from "../../src/markdown/frontmatter.ts";
import { textBlocks } from "../../src/markdown/text-blocks.ts";

describe("text blocks", () => {
  it("have their lines, their level and their depth", () => {
    const text = "# One ##\n\ntwo\nlines\n\n> ### In a quote\n\nUnder\n---\n\n- item\n  goes on\n\nend";
    expect(textBlocks(text).map((b) => [b.kind, b.level, b.text, b.from, b.to, b.depth])).toEqual([
      ["heading", 1, "One", 0, 1, 0],
      ["paragraph", 0, "two\nlines", 2, 4, 0],
      ["heading", 3, "In a quote", 5, 6, 1],
      ["heading", 2, "Under", 7, 9, 0],
      ["paragraph", 0, "item\ngoes on", 10, 12, 1],
      ["paragraph", 0, "end", 13, 14, 0],
    ]);
  });

  it.each([
    ["#no heading", "paragraph"],
    ["####### seven", "paragraph"],
    ["#", "heading"],
    ["   # three spaces", "heading"],
  ])("%j is a %s", (text, kind) => {
    expect(textBlocks(text)[0]?.kind).toBe(kind);
  });
});

describe("cutting frontmatter", () => {
  it.each([
    ["---\na: 1\n---\nbody", "a: 1\n", "body"],
    ["\ufeff---\r\na: 1\r\n---\r\nbody", "a: 1\r\n", "body"],
    ["---\na: '---'\n--- \nbody", "a: '---'\n", "body"],
    ["---\n---", "", ""],
    ["---\na\n...\n---\n", "a\n", "---\n"],
    ["---\na: ---\n----\n---\nx", "a: ---\n----\n", "x"],
  ])("of %j has the YAML %j and the body %j", (text, yaml, body) => {
    const cut = cutFrontmatter(text);
    if (typeof cut === "string") throw new Error(cut);
    expect([text.slice(cut.start, cut.end), text.slice(cut.body)]).toEqual([yaml, body]);
  });

  it.each([
    ["text", "none"],
    ["\n---\na: 1\n---\n", "none"],
    ["----\na\n----", "none"],
    ["---\na: 1", "unclosed"],
  ])("of %j is %j", (text, what) => {
    expect(cutFrontmatter(text)).toBe(what);
  });
});
