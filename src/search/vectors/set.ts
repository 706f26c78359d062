import type { Database } from "../../store/sqlite/types.ts";
import { versionOf } from "../../store/sqlite/version.ts";
import { createKernel, type Kernel, MOST_ROWS } from "./kernel.ts";
import { type Query, queryOf, ROW_BYTES, rowScale } from "./quantise.ts";
import { copyRow, emptyRows, PART_ROWS, type Rows, readRows, rowsIn } from "./store.ts";

/** The segments whose passages are compared, as `allSegments` returns them. A place counts across all of them. */
type ComparedSegments = readonly {
  readonly id: number;
  readonly notes: { readonly length: number };
}[];

/** How near passages are to a query, by vectors from one version of the table of meaning. */
interface PassageVectors {
  /** Writes the cosine of every passage, NaN for one without a vector of this version. Returns how many have one. */
  cosines(query: Float32Array, version: string, segments: ComparedSegments, into: Float32Array): number;
  /**
   * Writes the cosines of the passages in these places. Reads only their vectors: for a process that makes one query
   * about few passages of a large store.
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

/** The vectors of an index, kept in memory between queries. A query reads only parts that are new. */
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

export function createSet(db: Database, kernelOf: () => Kernel = createKernel): PassageVectors {
  let kernel: Kernel | undefined;
  let held = { change: "", version: "" };
  /** Kept as stored: copying everything into one array would make a single query take half as long again. */
  let loaded = new Map<number, Rows>();
  let byPlace = new Map<number, Rows>();

  /** Keeps the parts that are still stored, and reads the new ones. */
  function refresh(version: string): void {
    // Read before the parts are listed, so that later writes are read at the next query.
    const change = versionOf(db);
    if (held.change === change && held.version === version) return;
    const stored = db
      .all<Stored>("SELECT id, segment, part, length(data) AS bytes FROM text_vectors WHERE made = ?", [
        version,
      ])
      .filter(({ bytes }) => rowsIn(bytes) <= PART_ROWS); // a damaged part may have any size
    const now = new Map<number, Rows>();
    const missing: number[] = [];
    for (const { id } of stored) {
      const known = loaded.get(id);
      if (known === undefined) missing.push(id);
      else now.set(id, known);
    }
    for (let from = 0; from < missing.length; from += PARTS_AT_ONCE) {
      for (const { id, data } of partsById(db, missing.slice(from, from + PARTS_AT_ONCE))) {
        const rows = readRows(data);
        if (rows !== undefined) now.set(id, rows);
      }
    }
    loaded = now;
    byPlace = new Map();
    for (const { id, segment, part } of stored) {
      const found = now.get(id);
      if (found !== undefined) byPlace.set(keyOf(segment, part), found);
    }
    held = { change, version };
  }

  return {
    cosines(vector, version, segments, into) {
      into.fill(Number.NaN);
      const query = queryOf(vector);
      if (query === undefined) return 0;
      refresh(version);
      kernel ??= kernelOf();
      let count = 0;
      let start = 0;
      for (const { id, notes } of segments) {
        for (let from = 0, part = 0; from < notes.length; from += PART_ROWS, part++) {
          const found = byPlace.get(keyOf(id, part));
          if (found === undefined) continue;
          const rows = Math.min(found.alignments.length, notes.length - from);
          const products = kernel.products(query.values, found.data, rows);
          count += writeCosines(query, products, found.alignments, into, start + from);
        }
        start += notes.length;
      }
      return count;
    },
    among(vector, version, segments, places, into) {
      into.fill(Number.NaN);
      const query = queryOf(vector);
      if (query === undefined || places.length === 0) return;
      const { data, alignments } = gather(db, version, segments, places);
      kernel ??= kernelOf();
      for (let from = 0; from < places.length; from += MOST_ROWS) {
        const rows = Math.min(MOST_ROWS, places.length - from);
        const products = kernel.products(query.values, data.subarray(from * ROW_BYTES), rows);
        writeCosines(query, products, alignments.subarray(from), into, from);
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

/** Omits a part that was removed since it was listed. */
const partsById = (db: Database, ids: readonly number[]): { id: number; data: Uint8Array }[] =>
  db.all("SELECT id, data FROM text_vectors WHERE id IN (SELECT value FROM json_each(?))", [
    JSON.stringify(ids),
  ]);

const keyOf = (segment: number, part: number): number => segment * 2 ** 20 + part;
