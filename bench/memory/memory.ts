import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { queryTerms } from "../../src/search/words.ts";
import { readNoteText } from "../../src/sources/notes/files/note.ts";
import { refreshNotes } from "../../src/sources/notes/note-index/apply.ts";
import { type MemoryIndex, openMemoryIndex } from "../../src/sources/notes/note-index/memory-index.ts";
import { type NoteFiles, noteFilesOf } from "../../src/sources/notes/note-index/note-files.ts";
import { syncIndex } from "../../src/sources/notes/note-index/sync.ts";
import { search } from "../../src/sources/notes/search/search.ts";
import { machine, printTable, quantiles } from "../measure.ts";
import { meaning } from "../retrieval/ours.ts";
import { Generator, noteAt, writeNotes } from "./notes.ts";

const LENGTHS = [1, 2, 4, 8, 16, 40];
const ROUNDS = 60;

/**
 * The memory index at two sizes, compared with SQLite's FTS5 on the same text and queries in the same run. Times are
 * processor times, which are valid on a shared machine too. A folder given after the size is used instead of a new one
 * and kept, because writing 100,000 notes takes a while.
 */
export async function run(): Promise<void> {
  console.log(`${machine()}\n`);
  const sizes = process.argv[3] === undefined ? [10_000, 100_000] : [Number(process.argv[3])];
  for (const count of sizes) await measure(count);
}

async function measure(count: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "continuo-memory-"));
  try {
    const root = process.argv[4] ?? join(folder, "notes");
    const bytes = existsSync(root) ? sizeOf(root, count) : writeNotes(root, count);
    console.log(
      `${count} generated notes, ${(bytes / count / 1000).toFixed(1)} KB each, ${Math.round(bytes / 1e6)} MB\n`,
    );
    const file = join(folder, "memory.db");
    const files = noteFilesOf({ path: root, kind: "plain", isWritable: true });
    const baseline = fts5(join(folder, "fts.db"), root, count);
    const firsts = await firstIndexes(files, folder);
    const index = openMemoryIndex(file, files, { meaning });
    await syncs(index, root, count, { fts5: baseline.took, ...firsts }, { file, bytes });
    await searches(index, count, baseline);
    index.close();
    baseline.db.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface FirstIndex {
  readonly took: number;
  readonly bytes: number;
}

interface FirstIndexes {
  readonly words: FirstIndex;
  readonly both: FirstIndex;
}

/** With and without the table of meaning: medians of three each, in turns, after one that compiles the code. */
async function firstIndexes(files: NoteFiles, folder: string): Promise<FirstIndexes> {
  const words: FirstIndex[] = [];
  const both: FirstIndex[] = [];
  await firstIndex(files, folder);
  for (let round = 0; round < 3; round++) {
    words.push(await firstIndex(files, folder));
    both.push(await firstIndex(files, folder, meaning));
  }
  return { words: median(words), both: median(both) };
}

function median(list: readonly FirstIndex[]): FirstIndex {
  return list.toSorted((a, b) => a.took - b.took)[Math.floor(list.length / 2)] ?? { took: 0, bytes: 0 };
}

async function firstIndex(files: NoteFiles, folder: string, given?: typeof meaning): Promise<FirstIndex> {
  const path = join(mkdtempSync(join(folder, "first-")), "memory.db");
  const index = openMemoryIndex(path, files, { ...(given && { meaning: given }) });
  const took = await timed(() => syncIndex(index));
  index.db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  index.close();
  return { took, bytes: statSync(path).size };
}

async function syncs(
  index: MemoryIndex,
  root: string,
  count: number,
  before: FirstIndexes & { readonly fts5: number },
  { file, bytes }: { file: string; bytes: number },
): Promise<void> {
  await syncIndex(index);
  index.db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  const size = statSync(file).size;
  const { words, both, fts5 } = before;
  const passages = index.db.get<{ count: number }>("SELECT sum(passages) AS count FROM text_segment");
  const rows: (string | number)[][] = [
    ["reading the files and filling plain FTS5", `${(fts5 / 1000).toFixed(1)} s`],
    [
      "first index, words alone",
      `${(words.took / 1000).toFixed(1)} s (${(words.took / fts5).toFixed(2)} of that)`,
    ],
    [
      "first index",
      `${(both.took / 1000).toFixed(1)} s (${(both.took / words.took).toFixed(2)} of words alone, target 1.3)`,
    ],
    ["index / text, words alone", `${((100 * words.bytes) / bytes).toFixed(1)}%`],
    ["index / text", `${((100 * size) / bytes).toFixed(1)}%`],
    ["bytes a passage for meaning", ((both.bytes - words.bytes) / (passages?.count ?? 1)).toFixed(0)],
    ["peak memory", `${Math.round(process.resourceUsage().maxRSS / 1024)} MB`],
    ["sync, nothing changed (every file looked at)", ms(await timed(() => syncIndex(index)))],
  ];
  const generator = new Generator(count, 7);
  for (const changes of [1, 100]) {
    const paths = Array.from({ length: changes }, (_, i) => noteAt(root, i * 97));
    for (const path of paths) writeFileSync(path, generator.note());
    rows.push([`${changes} changed, their names known`, ms(await timed(() => refreshNotes(index, paths)))]);
    for (const path of paths) writeFileSync(path, generator.note());
    rows.push([`sync, ${changes} changed`, ms(await timed(() => syncIndex(index)))]);
  }
  const slices: number[] = [];
  for (let i = 0; i < 20; i++) slices.push(await timed(() => syncIndex(index, { sliceMs: 20 })));
  rows.push(["slice of 20 ms, p95", ms(quantiles(slices, [0.95])[0] ?? 0)]);
  rows.push(["thorough sync", ms(await timed(() => syncIndex(index, { thoroughly: true })))]);
  printTable(["index", ""], rows);
}

interface Baseline {
  readonly db: DatabaseSync;
  readonly took: number;
}

function fts5(path: string, root: string, count: number): Baseline {
  const db = new DatabaseSync(path);
  const begun = processorMs();
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  db.exec("CREATE VIRTUAL TABLE f USING fts5(body, tokenize = 'porter unicode61', content = '')");
  const insert = db.prepare("INSERT INTO f (rowid, body) VALUES (?, ?)");
  db.exec("BEGIN");
  for (let i = 0; i < count; i++) insert.run(i, readNoteText(noteAt(root, i))?.text ?? "");
  db.exec("COMMIT");
  return { db, took: processorMs() - begun };
}

async function searches(index: MemoryIndex, count: number, { db }: Baseline): Promise<void> {
  const generator = new Generator(count, 3);
  const select = db.prepare("SELECT rowid FROM f WHERE f MATCH ? ORDER BY rank LIMIT 10");
  const rows: (string | number)[][] = [];
  const all: number[][] = [[], [], []];
  for (const length of LENGTHS) {
    const times: number[][] = [[], [], []];
    for (let round = -3; round < ROUNDS; round++) {
      const query = generator.sentence(length * 2);
      const terms = queryTerms(query);
      if (terms.length === 0) continue;
      const took = [
        await timed(() => search(index, { query, mode: "FullText" })),
        await timed(() => search(index, { query }, { meaning })),
        await timed(() => select.all(terms.map((term) => `"${term}"`).join(" OR "))),
      ];
      if (round >= 0)
        for (const [i, one] of took.entries()) for (const list of [times, all]) list[i]?.push(one);
    }
    rows.push([
      `about ${length}`,
      ...times.flatMap((list) => quantiles(list, [0.5, 0.95]).map((one) => one.toFixed(1))),
    ]);
  }
  rows.push(["all", ...all.flatMap((list) => quantiles(list, [0.5, 0.95]).map((one) => one.toFixed(1)))]);
  printTable(
    ["words", "words alone p50 ms", "p95", "with meaning p50", "p95", "FTS5 OR, ranking only p50", "p95"],
    rows,
  );
}

const ms = (value: number): string => `${value.toFixed(value < 100 ? 1 : 0)} ms`;

function sizeOf(root: string, count: number): number {
  let bytes = 0;
  for (let i = 0; i < count; i++) bytes += statSync(noteAt(root, i)).size;
  return bytes;
}

/** Processor time of the process in milliseconds, with all threads, including garbage collection. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function timed(fn: () => unknown): Promise<number> {
  const begun = processorMs();
  await fn();
  return processorMs() - begun;
}
