import type { Database } from "../../store/sqlite/types.ts";
import { ROW_BYTES } from "./quantise.ts";

/**
 * The vectors of a segment's passages in parts, by place: a SQLite row for each passage would take ten times as long to
 * read, and a larger part longer to recompute. A row is never changed: a recomputed part gets another id, which shows
 * that a copy of the old one is outdated.
 */
export const VECTOR_SCHEMA = `
  CREATE TABLE text_vectors (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    segment INTEGER NOT NULL,
    part INTEGER NOT NULL,
    made TEXT NOT NULL,         -- the version of the table of meaning; '' while it is pending, '-' if there is no text
    data BLOB NOT NULL          -- alignments, then packed rows; empty if there are none
  );
  CREATE INDEX text_vectors_by_place ON text_vectors (segment, part, made);
`;

/** The version of a part without any text to embed. It matches every version. */
export const NOTHING = "-";
/** Passages per part. */
export const PART_ROWS = 256;
const ALIGNMENT_BYTES = 2;

/** The vectors of consecutive passages. An alignment of 0 means that a passage has none. */
export interface Rows {
  readonly alignments: Uint16Array;
  readonly data: Uint8Array;
}

/** The vectors of all passages of a new segment; undefined when no table of meaning is available. */
export interface SegmentVectors extends Rows {
  readonly made: string;
}

export function emptyRows(count: number): Rows {
  return { alignments: new Uint16Array(count), data: new Uint8Array(count * ROW_BYTES) };
}

/** How many rows a blob of this size has. */
export const rowsIn = (bytes: number): number => bytes / (ALIGNMENT_BYTES + ROW_BYTES);

/** undefined for a blob whose size is not that of whole rows, such as a pending part's, or too large for a part. */
export function readRows(blob: Uint8Array): Rows | undefined {
  const count = rowsIn(blob.length);
  if (count === 0 || count > PART_ROWS || !Number.isInteger(count)) return undefined;
  const alignments = new Uint16Array(blob.slice(0, count * ALIGNMENT_BYTES).buffer);
  return { alignments, data: blob.subarray(count * ALIGNMENT_BYTES) };
}

function blobOf({ alignments, data }: Rows): Uint8Array {
  const blob = new Uint8Array(alignments.byteLength + data.length);
  blob.set(new Uint8Array(alignments.buffer, alignments.byteOffset, alignments.byteLength));
  blob.set(data, alignments.byteLength);
  return blob;
}

/** Call it in the transaction that adds the segment. */
export function addVectors(
  db: Database,
  segment: number,
  passages: number,
  vectors: SegmentVectors | undefined,
): void {
  for (let from = 0, part = 0; from < passages; from += PART_ROWS, part++) {
    const to = Math.min(passages, from + PART_ROWS);
    insert(db, segment, part, vectors?.made ?? "", vectors && slice(vectors, from, to));
  }
}

/** Replaces one part; call it in a transaction. */
export function replacePart(db: Database, id: number, made: string, rows: Rows): void {
  const old = db.get<{ segment: number; part: number }>(
    "SELECT segment, part FROM text_vectors WHERE id = ?",
    [id],
  );
  if (old === undefined) return; // its segment was merged, or another process was faster
  db.run("DELETE FROM text_vectors WHERE id = ?", [id]);
  insert(db, old.segment, old.part, made, rows);
}

function insert(db: Database, segment: number, part: number, made: string, rows: Rows | undefined): void {
  db.run("INSERT INTO text_vectors (segment, part, made, data) VALUES (?, ?, ?, ?)", [
    segment,
    part,
    rows === undefined ? "" : made,
    rows === undefined || made === NOTHING ? new Uint8Array() : blobOf(rows),
  ]);
}

function slice({ alignments, data }: Rows, from: number, to: number): Rows {
  return {
    alignments: alignments.subarray(from, to),
    data: data.subarray(from * ROW_BYTES, to * ROW_BYTES),
  };
}

export function dropVectors(db: Database, segment: number): void {
  db.run("DELETE FROM text_vectors WHERE segment = ?", [segment]);
}

/** A segment that was merged into another: the new place of each of its passages, -1 for a tombstone. */
export interface MergedSegment {
  readonly id: number;
  readonly places: Int32Array;
}

/**
 * Copies the vectors of merged segments. Passages keep their order, so the new parts are filled one after another. A
 * part is pending if any of its vectors is pending or of another version than the others.
 */
export function mergeVectors(db: Database, merged: readonly MergedSegment[], to: number): void {
  const rows = emptyRows(PART_ROWS);
  let part = 0;
  let count = 0;
  let made = NOTHING;
  const end = (): void => {
    insert(db, to, part++, made, made === "" ? undefined : slice(rows, 0, count));
    count = 0;
    made = NOTHING;
  };
  for (const { id, places } of merged) {
    for (let from = 0, old = 0; from < places.length; from += PART_ROWS, old++) {
      const copied = readPart(db, id, old);
      for (let at = from; at < Math.min(places.length, from + PART_ROWS); at++) {
        if ((places[at] as number) < 0) continue;
        if (copied.made !== NOTHING) made = made === NOTHING || made === copied.made ? copied.made : "";
        copyRow(copied.rows, at - from, rows, count);
        if (++count === PART_ROWS) end();
      }
    }
  }
  if (count > 0) end();
}

function readPart(db: Database, segment: number, part: number): { made: string; rows: Rows | undefined } {
  const found = db.get<{ made: string; data: Uint8Array }>(
    "SELECT made, data FROM text_vectors WHERE segment = ? AND part = ?",
    [segment, part],
  );
  const rows = found && readRows(found.data);
  return { made: found?.made === NOTHING || rows !== undefined ? (found?.made ?? "") : "", rows };
}

/** Writes a row without a vector if there is nothing to copy. */
export function copyRow(from: Rows | undefined, row: number, to: Rows, at: number): void {
  to.alignments[at] = from?.alignments[row] ?? 0;
  if (from === undefined) to.data.fill(0, at * ROW_BYTES, (at + 1) * ROW_BYTES);
  else to.data.set(from.data.subarray(row * ROW_BYTES, (row + 1) * ROW_BYTES), at * ROW_BYTES);
}

/** How many passages have no vector of this version of the table yet. */
export function pendingPassages(db: Database, version: string): number {
  const row = db.get<{ n: number }>(
    `SELECT total(min(${PART_ROWS}, passages - part * ${PART_ROWS})) AS n
     FROM text_vectors JOIN text_segment ON text_segment.id = segment WHERE made NOT IN (?, ?)`,
    [version, NOTHING],
  );
  return row?.n ?? 0;
}
