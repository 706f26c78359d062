import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { titleFromText } from "../../../../src/markdown/title-from-text.ts";
import { writeNote } from "../../../../src/sources/notes/files/write-note.ts";
import { contextFor, memoryWith } from "./memory.ts";

describe("a title made from a text", () => {
  it.each([
    ["We chose SQLite. It is small.", "We chose SQLite"],
    ["Why does it fail? Nobody knows.", "Why does it fail?"],
    ["\n\n  first line\nsecond line", "first line"],
    ["# A heading\n\nText.", "A heading"],
    ["- [ ] call [[Ada Lovelace|Ada]] about **`v1.2`**", "call Ada about v1.2"],
    ["> quoted [text](https://example.com/x) here", "quoted text here"],
    ["---\nText under a rule", "Text under a rule"],
    ["See e.g. the manual. More.", "See e.g. the manual"],
    ["Call Bob at 5 p.m. tomorrow. Or later.", "Call Bob at 5 p.m. tomorrow"],
    ["1. First step of the plan. Then more.", "First step of the plan"],
    ["snake_case_name and _emphasis_", "snake_case_name and emphasis"],
    ["数据库每晚重置。请问艾达。", "数据库每晚重置"],
    ["!!!", "!!!"],
    ["\0", "Note"],
    [
      "A very long first sentence that goes on and on without any end in sight for quite a while",
      "A very long first sentence that goes on and on without any",
    ],
    ["x".repeat(500), "x".repeat(60)],
  ])("%j gives %j", (text, title) => {
    expect(titleFromText(text)).toBe(title);
  });

  it("is one short line, and the note can be written and is found inside the folder", async () => {
    const root = memoryWith();
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", minLength: 1, maxLength: 200 }), async (text) => {
        fc.pre(text.trim() !== "");
        const title = titleFromText(text);
        expect([...title].length).toBeLessThanOrEqual(60);
        expect(title).not.toMatch(/[\r\n]/);
        const written = await writeNote(contextFor(root), root, {
          title,
          content: text,
          folder: `f${Math.random()}`.replace(".", ""),
          hasHeading: false,
        });
        expect(written.path.startsWith(root.path)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it("takes linear time", () => {
    for (const text of [
      "[[".repeat(1e6),
      "_".repeat(1e6),
      "# ".repeat(1e6),
      "a.".repeat(1e6),
      " ".repeat(1e6),
    ])
      expect([...titleFromText(text)].length).toBeLessThanOrEqual(60);
  });
});
