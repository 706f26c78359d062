import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Embedder } from "../../src/models/embedder.ts";
import { queryTerms } from "../../src/search/words.ts";
import { applyNotes } from "../../src/sources/memory/note-index/apply.ts";
import { openMemoryIndex } from "../../src/sources/memory/note-index/memory-index.ts";
import { noteFilesOf } from "../../src/sources/memory/note-index/note-files.ts";
import { type Fused, fuse, semanticOnly } from "../../src/sources/memory/search/fuse.ts";
import { type Ranked, rankNotes } from "../../src/sources/memory/search/rank.ts";
import { embedPending } from "../../src/sources/memory/vectors/embed-pending.ts";
import { semanticRanker } from "../../src/sources/memory/vectors/semantic-search.ts";
import type { VectorScores } from "../../src/sources/memory/vectors/vector-set.ts";
import { vectorPlugin } from "../../src/sources/memory/vectors/vector-store.ts";
import type { Corpus, Task } from "../retrieval/data.ts";
import type { Engine } from "../retrieval/metrics.ts";
import { noteOf } from "../retrieval/ours.ts";

/** The results of both arms for one query, on which ways to fuse them are compared. */
export interface Said {
  readonly text: readonly Ranked[];
  readonly near: VectorScores;
}

type Scored = Pick<Fused, "note" | "score">;
export type Arm = (said: Said) => Scored[];

const all = (): boolean => true;

/** Adds the scores, with this weight for the semantic one. */
export const added =
  (share: number): Arm =>
  ({ text, near }) =>
    fuse(text, near, all, share);
export const words: Arm = ({ text }) => [...text];
export const meaning: Arm = ({ near }) => semanticOnly(near, all);

/** Reciprocal rank fusion, the usual way. */
export const ranksMerged: Arm = ({ text, near }) => {
  const scores = new Map<number, number>();
  for (const list of [text, semanticOnly(near, all)]) {
    const ordered = [...list].sort((a, b) => b.score - a.score).slice(0, 500);
    for (const [i, { note }] of ordered.entries()) scores.set(note, (scores.get(note) ?? 0) + 1 / (61 + i));
  }
  return [...scores].map(([note, score]) => ({ note, score }));
};

/** Adds the scores after scaling each arm's scores of a query to the range 0 to 1. */
export const spreadAdded =
  (share: number): Arm =>
  ({ text, near }) => {
    const meant = semanticOnly(near, all);
    const range = (list: readonly Scored[]): ((score: number) => number) => {
      const values = list.map(({ score }) => score);
      const [least, most] = [Math.min(...values), Math.max(...values)];
      return (score) => (most > least ? (score - least) / (most - least) : 1);
    };
    const [ofText, ofMeaning] = [range(text), range(meant)];
    const scores = new Map(text.map(({ note, score }) => [note, (1 - share) * ofText(score)]));
    for (const { note, score } of meant) scores.set(note, (scores.get(note) ?? 0) + share * ofMeaning(score));
    return [...scores].map(([note, score]) => ({ note, score }));
  };

/** Indexes a task's corpora with vectors and runs each query once, so that results differ only in the fusion. */
export async function ask(task: Task, embedder: Embedder): Promise<(arm: Arm) => Engine> {
  const answers = new Map<Corpus, { said: Map<string, Said>; owners: Map<number, string> }>();
  for (const corpus of task.corpora) answers.set(corpus, await askCorpus(corpus, embedder));
  return (arm) => (corpus) => ({
    rank(query) {
      const { said, owners } = answers.get(corpus) ?? { said: new Map<string, Said>(), owners: new Map() };
      const one = said.get(query);
      if (one === undefined) return [];
      return arm(one)
        .sort((a, b) => b.score - a.score || a.note - b.note)
        .slice(0, 50)
        .map(({ note }) => owners.get(note) ?? "");
    },
    close: () => undefined,
  });
}

async function askCorpus(corpus: Corpus, embedder: Embedder) {
  const folder = mkdtempSync(join(tmpdir(), "continuo-semantic-"));
  const notes = new Map(
    corpus.documents.map((one, i) => noteOf(folder, i, one)).map((note) => [note.path, note]),
  );
  const files = noteFilesOf({ path: folder, kind: "plain", isWritable: false });
  const index = openMemoryIndex(
    join(folder, "memory.db"),
    { ...files, read: (path) => Promise.resolve(notes.get(path)) },
    { plugins: [vectorPlugin()] },
  );
  applyNotes(index, [...notes.values()], []);
  await embedPending(index, embedder);
  const rows = index.db.all<{ id: number; name: string }>("SELECT id, name FROM note");
  const owners = new Map(
    rows.map(({ id, name }) => [id, corpus.documents[Number.parseInt(name, 10)]?.id ?? ""]),
  );
  const arm = semanticRanker(index, embedder);
  const said = new Map<string, Said>();
  for (const { query } of corpus.questions) {
    const { scores: near } = await arm.nearest(query);
    said.set(query, { text: rankNotes(index.db, queryTerms(query), { limit: 1000 }).best, near });
  }
  index.close();
  rmSync(folder, { recursive: true, force: true });
  return { said, owners };
}
