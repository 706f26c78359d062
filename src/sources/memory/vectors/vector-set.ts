import type { Database } from "../../../store/sqlite/types.ts";
import { CHUNK_ROWS, type ChunkRows, readRows, toInt8 } from "./chunk.ts";
import { createKernel, type Kernel, type Shape } from "./kernel.ts";
import { vectorModel } from "./vector-store.ts";

/** How similar notes are to one query. */
export interface VectorScores {
  /** The cosine of a note's best passage; undefined when the note has no vectors. */
  cosineOf(note: number): number | undefined;
  /** The best notes of those included, with a cosine of at least `minCosine`, best first. */
  best(count: number, minCosine: number, isIncluded: (note: number) => boolean): VectorHit[];
}

export interface VectorHit {
  readonly note: number;
  readonly passage: number;
  readonly cosine: number;
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

/** The vectors of an index, kept in memory between queries. Before each query changed chunks are read again. */
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
    if (found.data.length !== rows.notes.length * held.dimensions) return; // written by another model since it was listed
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
    // If another process changed the model in the meantime, the chunks are of two models: read them again.
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
      const byNote = bestByNote(compared, maxNote);
      return {
        cosineOf(note) {
          const cosine = byNote[note];
          return cosine === undefined || Number.isNaN(cosine) ? undefined : cosine;
        },
        best: (count, minCosine, isIncluded) => bestNotes(compared, count, minCosine, isIncluded),
      };
    },
  };
}

const NO_SCORES: VectorScores = { cosineOf: () => undefined, best: () => [] };

/** Indexed by note: a text search asks for thousands of notes. NaN for a note without vectors. */
function bestByNote(chunks: readonly Compared[], maxNote: number): Float32Array {
  const best = new Float32Array(maxNote + 1).fill(Number.NaN);
  for (const { rows, cosines } of chunks) {
    for (let row = 0; row < cosines.length; row++) {
      const note = rows.notes[row] ?? 0;
      const cosine = cosines[row] ?? 0;
      if (!((best[note] ?? 0) >= cosine)) best[note] = cosine;
    }
  }
  return best;
}

/** The best vector of the note whose first vector is in this row. */
function bestFrom({ rows, cosines }: Compared, first: number): VectorHit {
  const note = rows.notes[first] ?? 0;
  let best = first;
  for (let row = first + 1; row < cosines.length && rows.notes[row] === note; row++)
    if ((cosines[row] ?? 0) > (cosines[best] ?? 0)) best = row;
  return { note, passage: rows.passages[best] ?? 0, cosine: cosines[best] ?? 0 };
}

function bestNotes(
  chunks: Iterable<Compared>,
  count: number,
  minCosine: number,
  isIncluded: (note: number) => boolean,
): VectorHit[] {
  let found: VectorHit[] = [];
  let floor = minCosine;
  for (const chunk of chunks) {
    const { rows, cosines } = chunk;
    for (let row = 0; row < cosines.length; row++) {
      if ((cosines[row] ?? 0) < floor) continue;
      const note = rows.notes[row] ?? 0;
      let first = row;
      while (first > 0 && rows.notes[first - 1] === note) first--;
      if (isIncluded(note)) found.push(bestFrom(chunk, first));
      while (rows.notes[row + 1] === note) row++;
      // The worst are dropped now and then: sorting in each one would take longer.
      if (found.length < count * 4) continue;
      found = found.sort((a, b) => b.cosine - a.cosine).slice(0, count);
      floor = Math.max(floor, found.at(-1)?.cosine ?? floor);
    }
  }
  return found.sort((a, b) => b.cosine - a.cosine || b.note - a.note).slice(0, count);
}
