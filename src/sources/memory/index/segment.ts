import type { Database } from "../../../store/sqlite/types.ts";
import { eachListOn, listOn, termPages } from "./term-page.ts";

/**
 * A part of the text index that is written once: the notes of one transaction, or of several that were merged. Its
 * documents are numbered from 0, in `slots`. A changed note gets a new document in a new segment, and the old one's slot
 * is emptied, so no list of any term must be found and rewritten; merging leaves empty slots out.
 */
export interface Segment {
  readonly id: number;
  /** The note of each slot; 0 where it is gone. */
  readonly notes: Int32Array;
  /** Where each slot's passages begin in `lengths`; one more at the end. */
  readonly starts: Int32Array;
  /** How many terms each passage has. */
  readonly lengths: Uint16Array;
  /** Slots that are not empty. */
  readonly live: number;
}

export const SEGMENT_SCHEMA = `
  CREATE TABLE text_segment (
    id INTEGER PRIMARY KEY,
    slots INTEGER NOT NULL,
    live INTEGER NOT NULL,
    passages INTEGER NOT NULL,  -- of the documents that are not gone, as is
    length INTEGER NOT NULL,    -- the number of their terms
    notes BLOB NOT NULL,
    starts BLOB NOT NULL,
    lengths BLOB NOT NULL
  );
  CREATE TABLE text_note (note INTEGER PRIMARY KEY, segment INTEGER NOT NULL);
  -- See term-page.ts; first is the first term on the page.
  CREATE TABLE posting (id INTEGER PRIMARY KEY, segment INTEGER NOT NULL, first TEXT NOT NULL, data BLOB NOT NULL);
  CREATE UNIQUE INDEX posting_by_term ON posting (segment, first);
`;

interface Row {
  readonly id: number;
  readonly live: number;
  readonly notes: Uint8Array;
  readonly starts: Uint8Array;
  readonly lengths: Uint8Array;
}

const COLUMNS = "id, live, notes, starts, lengths";

export function allSegments(db: Database): Segment[] {
  return db.all<Row>(`SELECT ${COLUMNS} FROM text_segment ORDER BY id`).map(segmentOf);
}

export function segmentById(db: Database, id: number): Segment | undefined {
  const row = db.get<Row>(`SELECT ${COLUMNS} FROM text_segment WHERE id = ?`, [id]);
  return row && segmentOf(row);
}

function segmentOf({ id, live, notes, starts, lengths }: Row): Segment {
  return {
    id,
    live,
    // Copied: what SQLite gives need not begin where numbers of this size may.
    notes: new Int32Array(notes.slice().buffer),
    starts: new Int32Array(starts.slice().buffer),
    lengths: new Uint16Array(lengths.slice().buffer),
  };
}

export interface NewDocument {
  readonly note: number;
  readonly lengths: readonly number[];
}

/** Writes a segment without its postings, and returns its id. */
export function addSegment(db: Database, documents: readonly NewDocument[]): number {
  const starts = new Int32Array(documents.length + 1);
  const lengths: number[] = [];
  for (const [slot, document] of documents.entries()) {
    lengths.push(...document.lengths);
    starts[slot + 1] = lengths.length;
  }
  const { lastId } = db.run(
    `INSERT INTO text_segment (slots, live, passages, length, notes, starts, lengths) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    [
      documents.length,
      documents.length,
      lengths.length,
      lengths.reduce((sum, length) => sum + length, 0),
      bytesOf(Int32Array.from(documents, ({ note }) => note)),
      bytesOf(starts),
      bytesOf(Uint16Array.from(lengths, (length) => Math.min(length, 0xffff))),
    ],
  );
  for (const { note } of documents) db.run("INSERT OR REPLACE INTO text_note VALUES (?, ?)", [note, lastId]);
  return lastId;
}

/** Empties the slots of these notes. */
export function emptySlots(db: Database, notes: Iterable<number>): void {
  const bySegment = new Map<number, Set<number>>();
  for (const note of notes) {
    const row = db.get<{ segment: number }>("SELECT segment FROM text_note WHERE note = ?", [note]);
    if (row === undefined) continue;
    db.run("DELETE FROM text_note WHERE note = ?", [note]);
    const gone = bySegment.get(row.segment);
    if (gone === undefined) bySegment.set(row.segment, new Set([note]));
    else gone.add(note);
  }
  for (const [id, gone] of bySegment) {
    const segment = segmentById(db, id);
    if (segment !== undefined) emptyIn(db, segment, gone);
  }
}

function emptyIn(db: Database, { id, notes, starts, lengths }: Segment, gone: ReadonlySet<number>): void {
  let emptied = 0;
  let passages = 0;
  let length = 0;
  for (const [slot, note] of notes.entries()) {
    if (!gone.has(note)) continue;
    notes[slot] = 0;
    emptied++;
    for (const one of lengths.subarray(starts[slot], starts[slot + 1])) {
      passages++;
      length += one;
    }
  }
  db.run(
    `UPDATE text_segment SET live = live - ?, passages = passages - ?, length = length - ?, notes = ? WHERE id = ?`,
    [emptied, passages, length, bytesOf(notes), id],
  );
}

export function addLists(db: Database, segment: number, lists: ReadonlyMap<string, Uint8Array>): void {
  for (const { first, data } of termPages(lists)) {
    db.run("INSERT INTO posting (segment, first, data) VALUES (?, ?, ?)", [segment, first, data]);
  }
}

/** The postings of a term in a segment, if it has any. */
export function listOf(db: Database, segment: number, term: string): Uint8Array | undefined {
  const page = db.get<{ data: Uint8Array }>(
    "SELECT data FROM posting WHERE segment = ? AND first <= ? ORDER BY first DESC LIMIT 1",
    [segment, term],
  );
  return page && listOn(page.data, term);
}

export function eachList(db: Database, segment: number, see: (term: string, list: Uint8Array) => void): void {
  const pages = db.all<{ data: Uint8Array }>("SELECT data FROM posting WHERE segment = ?", [segment]);
  for (const { data } of pages) eachListOn(data, see);
}

export function dropSegment(db: Database, id: number): void {
  db.run("DELETE FROM posting WHERE segment = ?", [id]);
  db.run("DELETE FROM text_segment WHERE id = ?", [id]);
}

const bytesOf = (array: Int32Array | Uint16Array): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
