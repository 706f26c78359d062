import { loadKernel, PAGE } from "../../../search/vectors/kernel.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import { CHUNK_ROWS, type ChunkRows, readRows, toInt8 } from "./chunk.ts";
import { vectorModel } from "./vector-store.ts";

/** How similar notes are to one query. */
export interface VectorScores {
  /** The cosine of a note's best passage; undefined if the note has no vectors. */
  cosineOf(note: number): number | undefined;
  /** Its best passage. */
  passageOf(note: number): number;
}

interface Loaded {
  readonly slot: number;
  readonly stamp: number;
  readonly rows: ChunkRows;
}

/** The vectors of a chunk compared with one query. */
interface Compared {
  readonly rows: ChunkRows;
  readonly cosines: Float32Array;
}

/** The vectors of an index, kept in memory between queries. Before each query, changed chunks are reloaded. */
export function createVectorSet(
  db: Database,
  kernelOf: (shape: Shape) => Kernel = createKernel,
): { scores(model: string, query: Float32Array): VectorScores } {
  let kernel: Kernel | undefined;
  let held = { model: "", dimensions: 0 };
  const chunks = new Map<number, Loaded>();
  const free: number[] = [];

  function drop(id: number): void {
    const chunk = chunks.get(id);
    if (chunk === undefined) return;
    free.push(chunk.slot);
    chunks.delete(id);
  }

  function load(id: number, into: Kernel): void {
    const found = db.get<{ stamp: number; rows: Uint8Array; data: Uint8Array }>(
      "SELECT stamp, rows, data FROM vec_chunk WHERE id = ?",
      [id],
    );
    if (found === undefined) return; // removed since it was listed
    const rows = readRows(found.rows);
    if (found.data.length !== rows.notes.length * held.dimensions) return; // another model wrote it since it was listed
    const slot = free.pop() ?? chunks.size;
    into.slot(slot).set(found.data);
    chunks.set(id, { slot, stamp: found.stamp, rows });
  }

  function refresh(): Kernel | undefined {
    const now = vectorModel(db);
    if (now.model !== held.model || now.dimensions !== held.dimensions) {
      chunks.clear();
      free.length = 0;
      kernel = undefined;
      held = now;
    }
    if (now.dimensions === 0) return undefined;
    kernel ??= kernelOf({ rows: CHUNK_ROWS, dimensions: now.dimensions });
    const stored = new Map(
      db
        .all<{ id: number; stamp: number }>("SELECT id, stamp FROM vec_chunk")
        .map(({ id, stamp }) => [id, stamp]),
    );
    const old = [...chunks].filter(([id, { stamp }]) => stored.get(id) !== stamp).map(([id]) => id);
    for (const id of old) drop(id);
    for (const id of stored.keys()) if (!chunks.has(id)) load(id, kernel);
    // If another process changed the model meanwhile, the chunks are from two models, so reload them.
    return vectorModel(db).model === now.model ? kernel : refresh();
  }

  return {
    scores(model, query) {
      const ready = refresh();
      const { values, scale } = toInt8(query);
      if (ready === undefined || held.model !== model || values.length !== held.dimensions) return NO_SCORES;
      // New arrays for each query, so that a result stays valid during the next query.
      const compared: Compared[] = [];
      let maxNote = 0;
      for (const { slot, rows } of chunks.values()) {
        const dots = ready.dots(values, slot, rows.notes.length);
        const cosines = new Float32Array(dots.length);
        for (let row = 0; row < cosines.length; row++) {
          cosines[row] = (dots[row] ?? 0) * scale * (rows.scales[row] ?? 0);
          maxNote = Math.max(maxNote, rows.notes[row] ?? 0);
        }
        compared.push({ rows, cosines });
      }
      const { cosines: byNote, passages } = bestByNote(compared, maxNote);
      return {
        cosineOf(note) {
          const cosine = byNote[note];
          return cosine === undefined || Number.isNaN(cosine) ? undefined : cosine;
        },
        passageOf: (note) => passages[note] ?? 0,
      };
    },
  };
}

const NO_SCORES: VectorScores = { cosineOf: () => undefined, passageOf: () => 0 };

/** Indexed by note, because a search looks up thousands of notes. NaN for a note without vectors. */
function bestByNote(
  chunks: readonly Compared[],
  maxNote: number,
): { readonly cosines: Float32Array; readonly passages: Int32Array } {
  const best = new Float32Array(maxNote + 1).fill(Number.NaN);
  const passages = new Int32Array(maxNote + 1);
  for (const { rows, cosines } of chunks) {
    for (let row = 0; row < cosines.length; row++) {
      const note = rows.notes[row] ?? 0;
      const cosine = cosines[row] ?? 0;
      if ((best[note] ?? 0) >= cosine) continue;
      best[note] = cosine;
      passages[note] = rows.passages[row] ?? 0;
    }
  }
  return { cosines: best, passages };
}

/** Holds int8 vectors in slots of equal size, and compares a query with all vectors in a slot. */
export interface Kernel {
  readonly kind: "simd" | "plain";
  /** The bytes of a slot; write them at once, because the view is invalid after the next call. */
  slot(number: number): Int8Array;
  /** The dot products of the query with the first `rows` vectors in a slot, valid until the next call. */
  dots(query: Int8Array, slot: number, rows: number): Int32Array;
}

interface Shape {
  /** Vectors in a slot. */
  readonly rows: number;
  /** A multiple of 16. */
  readonly dimensions: number;
}

/** Uses SIMD if WebAssembly supports it, as in all known runtimes; otherwise JavaScript. */
export function createKernel(shape: Shape): Kernel {
  return simdKernel(shape) ?? plainKernel(shape);
}

export function simdKernel({ rows, dimensions }: Shape): Kernel | undefined {
  // Memory layout: the query, the results, the slots.
  const out = dimensions * 2;
  const first = out + rows * 4;
  const size = rows * dimensions;
  const loaded = loadKernel(first + size);
  if (loaded === undefined) return undefined;
  const { memory, dots } = loaded;
  return {
    kind: "simd",
    slot(number) {
      const missing = first + (number + 1) * size - memory.buffer.byteLength;
      // At least by a quarter, because growing may copy.
      if (missing > 0) memory.grow(Math.ceil(Math.max(missing, memory.buffer.byteLength / 4) / PAGE));
      return new Int8Array(memory.buffer, first + number * size, size);
    },
    dots(query, slot, count) {
      new Int16Array(memory.buffer, 0, dimensions).set(query);
      dots(0, first + slot * size, out, count, dimensions);
      return new Int32Array(memory.buffer, out, count);
    },
  };
}

export function plainKernel({ rows, dimensions }: Shape): Kernel {
  const slots: Int8Array[] = [];
  const results = new Int32Array(rows);
  const slotOf = (number: number): Int8Array => (slots[number] ??= new Int8Array(rows * dimensions));
  return {
    kind: "plain",
    slot: slotOf,
    dots(query, slot, count) {
      const data = slotOf(slot);
      for (let row = 0, at = 0; row < count; row++) {
        let sum = 0;
        for (let k = 0; k < dimensions; k++, at++) sum += (query[k] ?? 0) * (data[at] ?? 0);
        results[row] = sum;
      }
      return results.subarray(0, count);
    },
  };
}
