import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openMeaning } from "../../src/search/meaning/embed.ts";
import type { Tuning } from "../../src/search/rank/rank.ts";
import type { MeaningSource } from "../../src/search/vectors/embed-texts.ts";
import type { Note } from "../../src/sources/notes/files/note.ts";
import { applyNotes } from "../../src/sources/notes/note-index/apply.ts";
import type { IndexPlugin } from "../../src/sources/notes/note-index/index-plugin.ts";
import { type MemoryIndex, openMemoryIndex } from "../../src/sources/notes/note-index/memory-index.ts";
import { noteFilesOf } from "../../src/sources/notes/note-index/note-files.ts";
import { rankAsked, type SearchMode } from "../../src/sources/notes/search/ranking.ts";
import type { Corpus, Document } from "./data.ts";
import type { Engine } from "./metrics.ts";

let table: ReturnType<typeof openMeaning> | undefined;
/** The table of this repository, opened once for all benchmarks of a process. */
export const meaning: MeaningSource = () => (table ??= openMeaning());

export interface OursOptions extends Tuning {
  /** Words alone. */
  readonly isWithoutMeaning?: boolean;
  readonly mode?: SearchMode;
}

/** Continuo's memory index and ranking. Weights may differ for the ablation. */
export const ours: (options?: OursOptions) => Engine = (options) => (corpus) => {
  const { rank, close } = scored(corpus, options);
  return { rank: async (query) => (await rank(query)).map(({ id }) => id), close };
};

/** By the table of meaning, every document ranked: none is too far away. */
export const byMeaning = (): Engine =>
  ours({ mode: "Semantic", nearness: { from: -10, found: -10, foundAlone: -10 } });

/** The same as `ours`, with scores. */
export function scored(
  corpus: Corpus,
  { isWithoutMeaning = false, mode = "Hybrid", ...tuning }: OursOptions = {},
) {
  const { index, idOf, close } = indexCorpus(corpus);
  const asked = { mode: isWithoutMeaning ? "FullText" : mode };
  return {
    rank: async (query: string) =>
      (await rankAsked(index, { query, ...asked }, 50, { meaning, ...tuning })).ranked.map(
        ({ one, score }) => ({ id: idOf(one.owner), score, words: one.words, cosine: one.cosine }),
      ),
    close,
  };
}

export interface IndexedCorpus {
  readonly index: MemoryIndex;
  /** The note of each document, in the order of the documents. */
  readonly notes: readonly number[];
  /** The document that a note of the index was made from. */
  idOf(note: number): string;
  close(): void;
}

/** The documents as notes in an index of their own. Their texts are read from memory. */
export function indexCorpus(corpus: Corpus, plugins: readonly IndexPlugin[] = []): IndexedCorpus {
  const folder = mkdtempSync(join(tmpdir(), "continuo-retrieval-"));
  const notes = new Map(
    corpus.documents.map((one, i) => noteOf(folder, i, one)).map((note) => [note.path, note]),
  );
  const files = {
    ...noteFilesOf({ path: folder, kind: "plain", isWritable: false }),
    read: (path: string) => Promise.resolve(notes.get(path)),
    readText(path: string) {
      const { body = "", modified = 0, size = 0 } = notes.get(path) ?? {};
      return { text: body, modified, size, hasBom: false };
    },
  };
  const index = openMemoryIndex(join(folder, "memory.db"), files, { meaning, plugins });
  applyNotes(index, [...notes.values()], []);
  const rows = index.db.all<{ id: number; name: string }>("SELECT id, name FROM note");
  const ids = new Map<number, string>();
  const numbers: number[] = [];
  for (const { id, name } of rows) {
    const at = Number.parseInt(name, 10);
    ids.set(id, corpus.documents[at]?.id ?? "");
    numbers[at] = id;
  }
  return {
    index,
    notes: numbers,
    idOf: (note) => ids.get(note) ?? "",
    close() {
      index.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function noteOf(folder: string, number: number, { title = "", text }: Document): Note {
  return {
    uri: `memory://${number}`,
    // A plain number as the file name would be a word that questions may have.
    path: join(folder, `${number}zz.md`),
    title,
    body: text,
    frontmatter: {},
    properties: [],
    aliases: [],
    tags: [],
    concepts: [],
    links: [],
    created: undefined,
    modified: 0,
    checksum: `${number}`,
    size: text.length,
    problems: [],
  };
}
