import { describe, expect, it } from "vitest";
import { textBlocks } from "../../../src/markdown/text-blocks.ts";
import { parseNote } from "../../../src/sources/notes/files/note.ts";
import { leadOf } from "../../../src/sources/notes/ports/lead.ts";
import { lineOf, tellingOf } from "../../../src/sources/notes/ports/telling-line.ts";

const LONG = 500_000;
const PIECES = [
  "\n",
  " ",
  "\t",
  "# ",
  "#",
  " #",
  "> ",
  "- ",
  "`",
  "` ",
  "[[",
  "[[a",
  "]]",
  "<a ",
  "<!--",
  "\\",
  "---\n",
  "a\n\n",
  "\r",
];

const parse = (text: string) =>
  parseNote({ text, size: text.length, modified: 0 } as Parameters<typeof parseNote>[0], {
    uri: "memory://a",
    path: "/notes/a.md",
  });

/** Each of these took minutes or hours with a regular expression that backtracks. */
describe("a note of half a million characters made to be slow", () => {
  it.each(PIECES)(
    "of %j is read, and its beginning is shown",
    async (piece) => {
      const text = piece.repeat(LONG / piece.length);
      for (const one of [text, `# Title${text}x`, `x${text}# x`]) {
        expect((await parse(one)).uri).toBe("memory://a");
        leadOf(one, "Title");
        lineOf(one, tellingOf({ title: "Title", body: one }), 25);
        textBlocks(one);
      }
    },
    60_000,
  );
});
