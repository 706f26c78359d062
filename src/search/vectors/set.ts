import type { Database } from "../../store/sqlite/types.ts";
import { versionOf } from "../../store/sqlite/version.ts";
import { createKernel, type Kernel, MOST_ROWS } from "./kernel.ts";
import { type Query, queryOf, ROW_BYTES, rowScale } from "./quantise.ts";
import { copyRow, emptyRows, PART_ROWS, type Rows, readRows, rowsIn } from "./store.ts";

/** The segments whose passages are compared, as `allSegments` returns them. A place counts through all of them. */
export type ComparedSegments = readonly {
  readonly id: number;
  readonly notes: { readonly length: number };
}[];

/** How near passages are to a query, by the vectors that one version of the table of meaning made. */
export interface PassageVectors {
  /** Writes the cosine of every passage, NaN for one without a vector of this version. Returns how many have one. */
  cosines(query: Float32Array, version: string, segments: ComparedSegments, into: Float32Array): number;
  /**
   * Writes the cosine of the passage in each of these places. Reads only their vectors: for a process that asks once about
   * few passages of a large store.
   */
  among(
    query: Float32Array,
    version: string,
    segments: ComparedSegments,
    places: ArrayLike<number>,
    into: Float32Array,
  ): void;
}

/** Parts read with one statement: two megabytes. */
const PARTS_AT_ONCE = 64;

const kept = new WeakMap<Database, PassageVectors>();

/** The vectors of an index, kept in memory between queries. Before a query only parts that are new are read. */
export function passageVectors(db: Database): PassageVectors {
  const known = kept.get(db) ?? createSet(db);
  kept.set(db, known);
  return known;
}

interface Stored {
  readonly id: number;
  readonly segment: number;
  readonly part: number;
  readonly bytes: number;
}

interface Loaded {
  /** The place of its first row in the kernel's memory. */
  readonly first: number;
  readonly alignments: Uint16Array;
}

export function createSet(db: Database, kernelOf: () => Kernel = createKernel): PassageVectors {
  let kernel: Kernel | undefined;
  /** For `among`. */
  let single: Kernel | undefined;
  let held = { change: "", version: "", rows: 0 };
  let loaded = new Map<number, Loaded>();
  let byPlace = new Map<number, Loaded>();

  /** Keeps the parts that are still stored, closes the gaps between them, and reads the new ones. */
  function refresh(version: string): Kernel {
    // Before the parts are listed: what is written afterwards is read at the next query.
    const change = versionOf(db);
    if (kernel !== undefined && held.change === change && held.version === version) return kernel;
    const stored = db
      .all<Stored>("SELECT id, segment, part, length(data) AS bytes FROM text_vectors WHERE made = ?", [
        version,
      ])
      .filter(({ bytes }) => rowsIn(bytes) <= PART_ROWS); // a damaged one may have any size
    const rows = stored.reduce((sum, { bytes }) => sum + Math.floor(rowsIn(bytes)), 0);
    kernel ??= kernelOf();
    let used = 0;
    const now = new Map<number, Loaded>();
    const add = (id: number, alignments: Uint16Array): void => {
      now.set(id, { first: used, alignments });
      used += alignments.length;
    };
    const ids = new Set(stored.map(({ id }) => id));
    const memory = kernel.rows(Math.max(rows, held.rows));
    // In the order in which they were added, which is that of their places in memory.
    for (const [id, { first, alignments }] of loaded) {
      if (!ids.has(id)) continue;
      if (first !== used)
        memory.copyWithin(used * ROW_BYTES, first * ROW_BYTES, (first + alignments.length) * ROW_BYTES);
      add(id, alignments);
    }
    const missing = stored.filter(({ id }) => !now.has(id)).map(({ id }) => id);
    for (let from = 0; from < missing.length; from += PARTS_AT_ONCE) {
      for (const { id, data } of partsById(db, missing.slice(from, from + PARTS_AT_ONCE))) {
        const read = readRows(data);
        if (read === undefined || used + read.alignments.length > rows) continue;
        memory.set(read.data, used * ROW_BYTES);
        add(id, read.alignments);
      }
    }
    loaded = now;
    byPlace = new Map();
    for (const { id, segment, part } of stored) {
      const found = now.get(id);
      if (found !== undefined) byPlace.set(keyOf(segment, part), found);
    }
    held = { change, version, rows };
    return kernel;
  }

  return {
    cosines(vector, version, segments, into) {
      into.fill(Number.NaN);
      const query = queryOf(vector);
      if (query === undefined) return 0;
      const ready = refresh(version);
      let count = 0;
      let start = 0;
      for (const { id, notes } of segments) {
        for (let from = 0, part = 0; from < notes.length; from += PART_ROWS, part++) {
          const found = byPlace.get(keyOf(id, part));
          if (found === undefined) continue;
          const { first, alignments } = found;
          const rows = Math.min(alignments.length, notes.length - from);
          const products = ready.products(query.values, first, rows);
          count += writeCosines(query, products, alignments, into, start + from);
        }
        start += notes.length;
      }
      return count;
    },
    among(vector, version, segments, places, into) {
      into.fill(Number.NaN);
      const query = queryOf(vector);
      if (query === undefined || places.length === 0) return;
      const found = gather(db, version, segments, places);
      single ??= kernelOf();
      single.rows(places.length).set(found.data);
      for (let from = 0; from < places.length; from += MOST_ROWS) {
        const products = single.products(query.values, from, Math.min(MOST_ROWS, places.length - from));
        writeCosines(query, products, found.alignments.subarray(from), into, from);
      }
    },
  };
}

/** The vectors in these places, read from the index. */
function gather(db: Database, version: string, segments: ComparedSegments, places: ArrayLike<number>): Rows {
  const found = emptyRows(places.length);
  const starts = startsOf(segments);
  const parts = new Map<number, Rows | undefined>();
  for (let at = 0; at < places.length; at++) {
    const place = places[at] as number;
    const number = starts.findLastIndex((start) => start <= place);
    const { id = 0, notes } = segments[number] ?? {};
    const within = place - (starts[number] ?? 0);
    if (notes === undefined || within >= notes.length) continue;
    const part = Math.floor(within / PART_ROWS);
    const key = keyOf(id, part);
    if (!parts.has(key)) parts.set(key, partAt(db, version, id, part));
    copyRow(parts.get(key), within % PART_ROWS, found, at);
  }
  return found;
}

function partAt(db: Database, version: string, segment: number, part: number): Rows | undefined {
  const row = db.get<{ data: Uint8Array }>(
    "SELECT data FROM text_vectors WHERE segment = ? AND part = ? AND made = ?",
    [segment, part, version],
  );
  return row && readRows(row.data);
}

/** Returns how many rows have a vector. */
function writeCosines(
  { scale, excess }: Query,
  products: Int32Array,
  alignments: Uint16Array,
  into: Float32Array,
  from: number,
): number {
  let count = 0;
  for (let row = 0; row < products.length; row++) {
    const alignment = alignments[row] as number;
    if (alignment === 0) continue;
    into[from + row] = ((products[row] as number) - excess) * scale * rowScale(alignment);
    count++;
  }
  return count;
}

function startsOf(segments: ComparedSegments): number[] {
  let next = 0;
  return segments.map(({ notes }) => {
    const start = next;
    next += notes.length;
    return start;
  });
}

/** One that was removed since it was listed is left out. */
const partsById = (db: Database, ids: readonly number[]): { id: number; data: Uint8Array }[] =>
  db.all("SELECT id, data FROM text_vectors WHERE id IN (SELECT value FROM json_each(?))", [
    JSON.stringify(ids),
  ]);

const keyOf = (segment: number, part: number): number => segment * 2 ** 20 + part;
