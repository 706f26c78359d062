import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openMeaning } from "../../src/search/meaning/embed.ts";
import type { MeaningSource } from "../../src/search/vectors/embed-texts.ts";
import { applyNotes } from "../../src/sources/memory/note-index/apply.ts";
import { openMemoryIndex } from "../../src/sources/memory/note-index/memory-index.ts";
import { noteFilesOf } from "../../src/sources/memory/note-index/note-files.ts";
import type { Note } from "../../src/sources/memory/notes/note.ts";
import { rankAsked, type Tuning } from "../../src/sources/memory/search/ranking.ts";
import type { Corpus, Document } from "./data.ts";
import type { Engine } from "./metrics.ts";

let table: ReturnType<typeof openMeaning> | undefined;
/** The table of this repository, opened once for all benchmarks of a process. */
export const meaning: MeaningSource = () => (table ??= openMeaning());

export interface OursOptions extends Tuning {
  /** Words alone. */
  readonly isWithoutMeaning?: boolean;
}

/** Continuo's memory index and ranking. Weights may differ for the ablation. */
export const ours: (options?: OursOptions) => Engine = (options) => (corpus) => {
  const { rank, close } = scored(corpus, options);
  return { rank: async (query) => (await rank(query)).map(({ id }) => id), close };
};

/** The same, with scores. */
export function scored(corpus: Corpus, { isWithoutMeaning = false, ...tuning }: OursOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), "continuo-retrieval-"));
  const notes = new Map(
    corpus.documents.map((one, i) => noteOf(folder, i, one)).map((note) => [note.path, note]),
  );
  const files = {
    ...noteFilesOf({ path: folder, kind: "plain", isWritable: false }),
    readText(path: string) {
      const { body = "", modified = 0, size = 0 } = notes.get(path) ?? {};
      return { text: body, modified, size };
    },
  };
  const index = openMemoryIndex(join(folder, "memory.db"), files, { meaning });
  applyNotes(index, [...notes.values()], []);
  const rows = index.db.all<{ id: number; name: string }>("SELECT id, name FROM note");
  const owners = new Map(
    rows.map(({ id, name }) => [id, corpus.documents[Number.parseInt(name, 10)]?.id ?? ""]),
  );
  const search = { ...(isWithoutMeaning ? {} : { meaning }), ...tuning };
  return {
    rank: async (query: string) =>
      (await rankAsked(index, { query }, 50, search)).ranked.map(({ one, score, strength }) => ({
        id: owners.get(one.owner) ?? "",
        score,
        strength,
        words: one.words,
        cosine: one.cosine,
      })),
    close() {
      index.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function noteOf(folder: string, number: number, { title = "", text }: Document): Note {
  return {
    uri: `memory://${number}`,
    path: join(folder, `${number}.md`),
    title,
    body: text,
    frontmatter: {},
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
