import { mkdtempSync, rmSync, statSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { passagesOf } from "../../src/search/passages.ts";
import { makeQuery } from "../../src/search/query/make-query.ts";
import { rank } from "../../src/search/rank/rank.ts";
import { RERANKED } from "../../src/search/rank/rerank.ts";
import { queryTerms } from "../../src/search/words.ts";
import { applyNotes } from "../../src/sources/notes/note-index/apply.ts";
import { type MemoryIndex, openMemoryIndex } from "../../src/sources/notes/note-index/memory-index.ts";
import { noteFilesOf } from "../../src/sources/notes/note-index/note-files.ts";
import { WEIGHTS } from "../../src/sources/notes/search/ranking.ts";
import { printTable, quantiles } from "../measure.ts";
import { type Document, type Task, tasks } from "../retrieval/data.ts";
import { meaning, noteOf } from "../retrieval/ours.ts";
import { FTS5, type Fts5Options, Fts5Words } from "./fts5-words.ts";
import { rankFused } from "./fused.ts";
import { FUSING } from "./quality.ts";

const SIZES = [2_000, 6_600, 20_000];
const QUERIES = 60;
const ROUNDS = 3;
const COLD_ROUNDS = 15;

const VARIANTS: Readonly<Record<string, Fts5Options>> = {
  "FTS5, porter": FTS5,
  "FTS5, porter, all terms": { ...FTS5, mostTerms: 200 },
  "FTS5, our terms": { ...FTS5, terms: "ours" },
  "FTS5, our terms, 6 rarest": { ...FTS5, terms: "ours", mostTerms: 6 },
  "FTS5, porter, trigrams": { ...FTS5, trigrams: true },
};

/** Ranking only, without reading texts: CPU time of both engines on the same passages and queries, interleaved. */
export async function time(): Promise<void> {
  const all = tasks();
  if (all === undefined) return;
  const rows: (string | number)[][] = [];
  const stores: (string | number)[][] = [];
  for (const size of SIZES) measure(all, size, rows, stores);
  console.log("CPU ms of ranking, p50 / p95; load of the machine in the last column.\n");
  printTable(["passages", "queries", "engine", "words", "words and meaning", "load"], rows);
  console.log("The index of words alone, and the first query after opening it (words).\n");
  printTable(["passages", "engine", "index, CPU s", "size / text", "first query, CPU ms p50 / p95"], stores);
}

function measure(
  all: readonly Task[],
  size: number,
  rows: (string | number)[][],
  stores: (string | number)[][],
): void {
  const folder = mkdtempSync(join(tmpdir(), "continuo-engines-"));
  try {
    const documents = documentsOf(all, size);
    const bytes = documents.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    const ours = indexOurs(folder, documents, true);
    const wordsOnly = indexOurs(folder, documents, false);
    const stored = (name: string, path: string, took: number, first: () => void): void => {
      const cold = Array.from({ length: COLD_ROUNDS }, () => cpu(first));
      stores.push([
        size,
        name,
        (took / 1000).toFixed(1),
        `${((100 * statSync(path).size) / bytes).toFixed(0)}%`,
        pair(cold),
      ]);
    };
    const first = queriesOf(all)["a question"]?.[0] ?? "";
    wordsOnly.index.close();
    stored("ours", wordsOnly.path, wordsOnly.took, () => {
      const { index } = openOurs(folder, wordsOnly.path, false);
      rankOurs(index, first, false);
      index.close();
    });
    const engines = Object.entries(VARIANTS).map(([name, options], at) => {
      const path = join(folder, `fts5-${at}.db`);
      const words = new Fts5Words(path, options);
      const took = cpu(() =>
        words.fill(documents.map(({ title = "", text }, i) => ({ owner: i + 1, title, text }))),
      );
      stored(name, path, took, () => {
        const opened = new Fts5Words(path, options);
        opened.shares(first);
        opened.close();
      });
      return { name, words };
    });
    for (const [kind, queries] of Object.entries(queriesOf(all))) {
      const runs = [
        {
          name: "ours",
          byWords: (query: string): unknown => rankOurs(ours.index, query, false),
          both: (query: string): unknown => rankOurs(ours.index, query, true),
        },
        ...engines.map(({ name, words }) => ({
          name,
          byWords: (query: string): unknown => words.shares(query),
          both: (query: string): unknown => rankFused(words, ours.index.db, query, RERANKED, FUSING),
        })),
      ].map((one) => ({ ...one, words: [] as number[], all: [] as number[] }));
      for (let round = -1; round < ROUNDS; round++)
        for (const query of queries)
          for (const one of round % 2 === 0 ? runs : runs.toReversed()) {
            const took = [cpu(() => one.byWords(query)), cpu(() => one.both(query))] as const;
            if (round < 0) continue;
            one.words.push(took[0]);
            one.all.push(took[1]);
          }
      const load = loadavg()[0]?.toFixed(1) ?? "";
      for (const one of runs) rows.push([size, kind, one.name, pair(one.words), pair(one.all), load]);
    }
    for (const { words } of engines) words.close();
    ours.index.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Real texts, copied where there are not enough. The words of copies do not differ. */
function documentsOf(all: readonly Task[], passages: number): Document[] {
  const real = all
    .filter(({ name }) => name !== "LoCoMo turn")
    .flatMap(({ corpora }) => corpora.flatMap(({ documents }) => documents));
  // One of each task in turn, so that small stores have texts of all of them.
  real.sort((a, b) => hash(a.id + a.text.slice(0, 50)) - hash(b.id + b.text.slice(0, 50)));
  const chosen: Document[] = [];
  for (let count = 0, at = 0; count < passages; at++) {
    const one = real[at % real.length] ?? { id: "", text: "" };
    chosen.push(one);
    count += passagesOf(one.text).length;
  }
  return chosen;
}

function queriesOf(all: readonly Task[]): Record<string, string[]> {
  const questions = all
    .flatMap(({ corpora }) => corpora.flatMap((corpus) => corpus.questions.map(({ query }) => query)))
    .sort((a, b) => hash(a) - hash(b))
    .slice(0, QUERIES);
  const coding = all[0]?.corpora[0]?.documents ?? [];
  return {
    "two words": questions
      .map((query) => queryTerms(query).slice(0, 2).join(" "))
      .filter((one) => one !== ""),
    "a question": questions,
    "a prompt of 1,500 characters": coding.slice(0, QUERIES).map(({ text }) => text.slice(0, 1500)),
  };
}

function indexOurs(folder: string, documents: readonly Document[], hasMeaning: boolean) {
  const path = join(folder, hasMeaning ? "ours.db" : "words.db");
  const { index } = openOurs(folder, path, hasMeaning);
  const notes = documents.map((one, at) => noteOf(folder, at, one));
  const took = cpu(() => {
    applyNotes(index, notes, []);
    index.db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  });
  return { index, path, took };
}

function openOurs(folder: string, path: string, hasMeaning: boolean): { index: MemoryIndex } {
  const files = noteFilesOf({ path: folder, kind: "plain", isWritable: false });
  return { index: openMemoryIndex(path, files, hasMeaning ? { meaning } : {}) };
}

function rankOurs({ db }: MemoryIndex, query: string, hasMeaning: boolean): unknown {
  return rank(db, makeQuery(db, query, hasMeaning ? { meaning } : {}), {
    limit: RERANKED,
    ownerOf: (note) => note,
    weights: WEIGHTS,
    meaning: FUSING.nearness,
  });
}

function cpu(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const pair = (sample: readonly number[]): string =>
  quantiles(sample, [0.5, 0.95])
    .map((one) => one.toFixed(1))
    .join(" / ");

function hash(text: string): number {
  let value = 2166136261;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 16777619);
  return value >>> 0;
}
