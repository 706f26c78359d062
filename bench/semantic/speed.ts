import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Embedder } from "../../src/models/embedder.ts";
import { openMemoryIndex } from "../../src/sources/notes/note-index/memory-index.ts";
import { noteFilesOf } from "../../src/sources/notes/note-index/note-files.ts";
import { syncIndex } from "../../src/sources/notes/note-index/sync.ts";
import { search } from "../../src/sources/notes/search/search.ts";
import { CHUNK_ROWS } from "../../src/sources/notes/vectors/chunk.ts";
import { embedPending } from "../../src/sources/notes/vectors/embed-pending.ts";
import { semanticRanker } from "../../src/sources/notes/vectors/semantic-search.ts";
import { type Kernel, plainKernel, simdKernel } from "../../src/sources/notes/vectors/vector-set.ts";
import { vectorPlugin } from "../../src/sources/notes/vectors/vector-store.ts";
import { printTable, quantiles } from "../measure.ts";
import { Generator, writeNotes } from "../memory/notes.ts";

const DIMENSIONS = 384;

/** The kernel alone: one query against all vectors, in memory. */
export function kernels(): void {
  const rows: (string | number)[][] = [];
  for (const slots of [20, 196]) {
    const shape = { rows: CHUNK_ROWS, dimensions: DIMENSIONS };
    for (const kernel of [simdKernel(shape), plainKernel(shape)]) {
      if (kernel === undefined) continue;
      fill(kernel, slots);
      const query = Int8Array.from({ length: DIMENSIONS }, (_, i) => ((i * 37) % 255) - 127);
      const times: number[] = [];
      for (let round = 0; round < (kernel.kind === "simd" ? 60 : 10); round++) {
        const begun = performance.now();
        for (let slot = 0; slot < slots; slot++) kernel.dots(query, slot, CHUNK_ROWS);
        times.push(performance.now() - begun);
      }
      const [median = 0, late = 0] = quantiles(times.slice(3), [0.5, 0.95]);
      rows.push([slots * CHUNK_ROWS, kernel.kind, fixed(times[0]), fixed(median), fixed(late)]);
    }
  }
  printTable([`vectors of ${DIMENSIONS}`, "kernel", "first ms", "p50", "p95"], rows);
}

function fill(kernel: Kernel, slots: number): void {
  let state = 1;
  for (let slot = 0; slot < slots; slot++) {
    const data = kernel.slot(slot);
    for (let i = 0; i < data.length; i++) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      data[i] = (state >>> 24) - 128;
    }
  }
}

/** Hybrid compared with FullText on the same queries in the same run. The model takes no time: it returns random vectors. */
export async function hybrid(count: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "continuo-semantic-"));
  try {
    const root = join(folder, "notes");
    const bytes = writeNotes(root, count);
    const file = join(folder, "memory.db");
    const files = noteFilesOf({ path: root, kind: "plain", isWritable: true });
    const index = openMemoryIndex(file, files, { plugins: [vectorPlugin()] });
    await syncIndex(index);
    index.db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    const before = statSync(file).size;
    const embedder = randomEmbedder();
    const stored = performance.now();
    const { passages } = await embedPending(index, embedder);
    const took = performance.now() - stored;
    index.db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    const grown = statSync(file).size - before;
    const semantic = semanticRanker(index, embedder);
    const generator = new Generator(count, 3);
    const cold = performance.now();
    await semantic.nearest(generator.sentence(8));
    const first = performance.now() - cold;
    const text: number[] = [];
    const both: number[] = [];
    for (let round = -5; round < 150; round++) {
      const query = `${generator.word()} ${generator.sentence(2 + (round & 15))}`;
      // Each goes first half of the time, because the second finds warm caches.
      const order = round % 2 === 0 ? (["FullText", "Hybrid"] as const) : (["Hybrid", "FullText"] as const);
      for (const mode of order) {
        const begun = performance.now();
        await search(index, { query, mode }, { semantic });
        if (round >= 0) (mode === "Hybrid" ? both : text).push(performance.now() - begun);
      }
    }
    const more = both.map((one, i) => one - (text[i] ?? 0));
    const figures = [text, both, more].flatMap((list) => quantiles(list, [0.5, 0.95]).map(fixed));
    printTable(
      [
        "notes",
        "passages",
        "FullText p50 ms",
        "p95",
        "Hybrid p50",
        "p95",
        "more p50",
        "p95",
        "first query",
        "storing",
        "vectors / text",
      ],
      [
        [
          count,
          passages,
          ...figures,
          fixed(first),
          `${(took / count).toFixed(2)} ms a note`,
          `${((100 * grown) / bytes).toFixed(0)}%`,
        ],
      ],
    );
    index.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function randomEmbedder(): Embedder {
  let state = 1;
  const one = (): Float32Array =>
    Float32Array.from({ length: DIMENSIONS }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return (state / 2 ** 31 - 1) / 11.3;
    });
  return { id: "random", dimensions: DIMENSIONS, embed: async (texts) => texts.map(one) };
}

/** Texts per second of the real model, on one thread. */
export async function embedding(embedder: Embedder): Promise<void> {
  const sentence =
    "The gateway keeps a pool of connections, and when a worker dies the pool is not told of it. ";
  const begun = performance.now();
  await embedder.embed(["first"], "query");
  const rows: (string | number)[][] = [
    ["first text (loads the model)", `${fixed(performance.now() - begun)} ms`],
  ];
  for (const [name, length, count] of [
    ["query", 40, 50],
    ["300 characters", 300, 60],
    ["a passage of 1,500", 1500, 30],
  ] as const) {
    const texts = Array.from({ length: count }, (_, i) => `${i} ${sentence.repeat(20)}`.slice(0, length));
    const from = performance.now();
    await embedder.embed(texts, "document");
    const each = (performance.now() - from) / count;
    rows.push([name, `${fixed(each)} ms, ${(1000 / each).toFixed(0)} a second`]);
  }
  printTable([embedder.id, ""], rows);
}

const fixed = (value: number | undefined): string => (value ?? Number.NaN).toFixed(1);
