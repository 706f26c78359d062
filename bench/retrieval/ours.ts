import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { queryTerms } from "../../src/search/words.ts";
import { applyNotes } from "../../src/sources/memory/note-index/apply.ts";
import { openMemoryIndex } from "../../src/sources/memory/note-index/memory-index.ts";
import { noteFilesOf } from "../../src/sources/memory/note-index/note-files.ts";
import type { Note } from "../../src/sources/memory/notes/note.ts";
import { rankNotes, WEIGHTS, type Weights } from "../../src/sources/memory/search/rank.ts";
import type { Corpus, Document } from "./data.ts";
import type { Engine } from "./metrics.ts";

/** Continuo's memory index and ranking. Weights may differ for the ablation. */
export const ours: (weights?: Partial<Weights>) => Engine = (weights) => (corpus) => {
  const { rank, close } = scored(corpus, weights);
  return { rank: (query) => rank(query).map(({ id }) => id), close };
};

/** The same, with scores. */
export function scored(corpus: Corpus, weights: Partial<Weights> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "continuo-retrieval-"));
  const files = noteFilesOf({ path: folder, kind: "plain", isWritable: false });
  const index = openMemoryIndex(join(folder, "memory.db"), files);
  applyNotes(
    index,
    corpus.documents.map((one, i) => noteOf(folder, i, one)),
    [],
  );
  const rows = index.db.all<{ id: number; name: string }>("SELECT id, name FROM note");
  const owners = new Map(
    rows.map(({ id, name }) => [id, corpus.documents[Number.parseInt(name, 10)]?.id ?? ""]),
  );
  return {
    rank: (query: string) =>
      rankNotes(index.db, queryTerms(query), { limit: 50, weights: { ...WEIGHTS, ...weights } }).best.map(
        ({ note, score }) => ({ id: owners.get(note) ?? "", score }),
      ),
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
