import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { editText } from "../../../../src/sources/notes/files/edit-note.ts";
import { identify } from "../../../../src/sources/notes/files/identify.ts";
import { walkNotes } from "../../../../src/sources/notes/files/list-notes.ts";
import { readNote } from "../../../../src/sources/notes/files/note.ts";
import type { MemoryRoot } from "../../../../src/sources/notes/files/roots.ts";

const project = resolve(import.meta.dirname, "../../../..");
const bench = resolve(project, process.env["CONTINUO_BENCH_DATA"] ?? "../shared/bench");
const root: MemoryRoot = {
  name: "docs",
  path: join(bench, "vaults/logseq-docs"),
  kind: "logseq",
  isWritable: false,
};

describe.skipIf(!existsSync(root.path))(
  "a vault that people wrote (CONTINUO_BENCH_DATA; skipped without it)",
  () => {
    const files = [...walkNotes(root)];

    it("is read without problems, and every address leads back to its note", async () => {
      let concepts = 0;
      for (const file of files) {
        const note = await readNote(root, file.path);
        expect(note?.problems, file.path).toEqual([]);
        expect(identify(file.uri, [root]).path).toBe(file.path);
        concepts += note?.concepts.length ?? 0;
      }
      console.log(`${files.length} notes, ${concepts} mentions of concepts`);
      expect(files.length).toBeGreaterThan(100);
      expect(concepts).toBeGreaterThan(500);
    });

    it("has at most the links that the pattern alone finds, and lacks only those in code", async () => {
      let inCode = 0;
      for (const { path } of files) {
        const text = readFileSync(path, "utf8");
        const all = new Set(
          [...text.matchAll(/(?<!\[)\[\[([^[\]]+)\]\](?!\])/g)].map((found) => found[1]?.trim()),
        );
        const note = await readNote(root, path);
        expect(note?.links.length, path).toBeLessThanOrEqual(all.size);
        if ((note?.links.length ?? 0) < all.size) {
          inCode++;
          expect(text, path).toMatch(/`|^(?: {4}|\t)|^\s*<|[[\]]{3}/m);
        }
      }
      expect(inCode).toBeLessThan(files.length / 5);
    });

    it("keeps each text when appending", () => {
      for (const { path } of files) {
        const text = readFileSync(path, "utf8");
        expect(editText(text, { operation: "append", content: "[[x]]" }, 0).startsWith(text), path).toBe(
          true,
        );
      }
    });
  },
);
