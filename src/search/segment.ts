import type { Database } from "../store/sqlite/types.ts";
import { listOn, TermCursor, TermPages } from "./term-page.ts";
import { addVectors, dropVectors, type SegmentVectors, VECTOR_SCHEMA } from "./vectors/store.ts";

/**
 * A part of the text index that is never changed: the notes of one transaction, or of several merged ones. Its passages
 * are numbered from 0; those of one note are consecutive. A changed note gets new passages in a new segment, and its
 * old ones become tombstones (their note is set to 0), so no posting list is rewritten. Merging drops tombstones.
 */
export interface Segment extends Passages {
  readonly id: number;
  /** Number of passages that are not tombstones. */
  readonly live: number;
}

export interface NewSegment extends Passages {
  /** undefined while they are pending. */
  readonly vectors?: SegmentVectors | undefined;
}

interface Passages {
  /** The note of each passage; 0 for a tombstone. */
  readonly notes: Int32Array;
  /** How many terms each passage has. */
  readonly lengths: Uint16Array;
}

export const SEGMENT_SCHEMA = `
  CREATE TABLE text_segment (
    id INTEGER PRIMARY KEY AUTOINCREMENT, -- whoever reads while others write must not mistake one for another
    passages INTEGER NOT NULL,
    live INTEGER NOT NULL,      -- passages whose note is not gone
    length INTEGER NOT NULL,    -- the number of their terms
    notes BLOB NOT NULL,
    lengths BLOB NOT NULL
  );
  CREATE TABLE text_note (note INTEGER PRIMARY KEY, segment INTEGER NOT NULL);
  -- See term-page.ts and postings.ts (with forms of words); first is the first term on the page, as bytes.
  CREATE TABLE posting (id INTEGER PRIMARY KEY, segment INTEGER NOT NULL, first BLOB NOT NULL, data BLOB NOT NULL);
  CREATE UNIQUE INDEX posting_by_term ON posting (segment, first);
${VECTOR_SCHEMA}`;

interface Row {
  readonly id: number;
  readonly live: number;
  readonly notes: Uint8Array;
  readonly lengths: Uint8Array;
}

const COLUMNS = "id, live, notes, lengths";
/**
 * Pages read at once while merging. Up to eight segments are merged at a time, so eight times as many are in memory.
 */
const PAGES_AT_ONCE = 16;

export function allSegments(db: Database): Segment[] {
  return db.all<Row>(`SELECT ${COLUMNS} FROM text_segment ORDER BY id`).map(segmentOf);
}

interface NoteTotals {
  /** How many notes have passages. */
  readonly notes: number;
  readonly highest: number;
  /** The number of terms in them. */
  readonly length: number;
}

export function noteTotals(db: Database): NoteTotals {
  const row = db.get<NoteTotals>(
    `SELECT (SELECT count(*) FROM text_note) AS notes, (SELECT ifnull(max(note), 0) FROM text_note) AS highest,
            total(length) AS length FROM text_segment`,
  );
  return row ?? { notes: 0, highest: 0, length: 0 };
}

export function segmentById(db: Database, id: number): Segment | undefined {
  const row = db.get<Row>(`SELECT ${COLUMNS} FROM text_segment WHERE id = ?`, [id]);
  return row && segmentOf(row);
}

function segmentOf({ id, live, notes, lengths }: Row): Segment {
  return { id, live, notes: new Int32Array(aligned(notes)), lengths: new Uint16Array(aligned(lengths)) };
}

/** SQLite may return a blob at an address that is not aligned for typed arrays; then it is copied. */
function aligned({ buffer, byteOffset, byteLength }: Uint8Array): ArrayBuffer {
  return byteOffset === 0 && byteLength === buffer.byteLength
    ? (buffer as ArrayBuffer)
    : (buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer);
}

/** Writes a segment with its vectors and the terms that `fill` adds in order. */
export function addSegment(db: Database, segment: NewSegment, fill: (pages: TermPages) => void): void {
  const id = addWords(db, segment, fill);
  addVectors(db, id, segment.notes.length, segment.vectors);
}

/** The same without vectors, which the caller adds. Returns the segment's id. */
export function addWords(
  db: Database,
  { notes, lengths }: Passages,
  fill: (pages: TermPages) => void,
): number {
  const { lastId: id } = db.run(
    "INSERT INTO text_segment (passages, live, length, notes, lengths) VALUES (?, ?, ?, ?, ?)",
    [
      notes.length,
      notes.length,
      lengths.reduce((sum, one) => sum + one, 0),
      bytesOf(notes),
      bytesOf(lengths),
    ],
  );
  // One statement for all notes: one for each would take longer than the rest of a merge.
  db.run("INSERT OR REPLACE INTO text_note SELECT DISTINCT value, ? FROM json_each(?)", [
    id,
    JSON.stringify([...notes]),
  ]);
  const pages = new TermPages(({ first, data }) => {
    db.run("INSERT INTO posting (segment, first, data) VALUES (?, ?, ?)", [id, first, data]);
  });
  fill(pages);
  pages.end();
  return id;
}

/** Turns the passages of these notes into tombstones. */
export function tombstone(db: Database, notes: Iterable<number>): void {
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
    if (segment !== undefined) tombstoneIn(db, segment, gone);
  }
}

function tombstoneIn(db: Database, { id, notes, lengths }: Segment, gone: ReadonlySet<number>): void {
  let passages = 0;
  let length = 0;
  for (const [at, note] of notes.entries()) {
    if (!gone.has(note)) continue;
    notes[at] = 0;
    passages++;
    length += lengths[at] ?? 0;
  }
  db.run("UPDATE text_segment SET live = live - ?, length = length - ?, notes = ? WHERE id = ?", [
    passages,
    length,
    bytesOf(notes),
    id,
  ]);
}

/** The postings of a term in a segment, if it has any. */
export function listOf(db: Database, segment: number, term: Uint8Array): Uint8Array | undefined {
  const page = db.get<PageRow>(PAGE_BEFORE, [segment, term]);
  return page && listOn(page.data, term);
}

/** The postings of a term by segment. One query for all segments: a query costs more than finding the pages. */
export function listsOf(db: Database, term: Uint8Array): Map<number, Uint8Array> {
  const lists = new Map<number, Uint8Array>();
  const pages = db.all<{ id: number; data: Uint8Array | null }>(
    `SELECT id, (SELECT data FROM posting WHERE segment = text_segment.id AND first <= ? ORDER BY first DESC LIMIT 1) AS data
     FROM text_segment`,
    [term],
  );
  for (const { id, data } of pages) {
    const list = data === null ? undefined : listOn(data, term);
    if (list !== undefined) lists.set(id, list);
  }
  return lists;
}

interface PageRow {
  readonly first: Uint8Array;
  readonly data: Uint8Array;
}

const PAGE_BEFORE =
  "SELECT first, data FROM posting WHERE segment = ? AND first <= ? ORDER BY first DESC LIMIT 1";

/** All terms of a segment, in order. */
export const termsIn = (db: Database, segment: number): TermCursor =>
  cursorAt(db, segment, new Uint8Array(), [], PAGES_AT_ONCE);

/** The terms of a segment from this one on, in order. */
export function termsFrom(db: Database, segment: number, from: Uint8Array): TermCursor {
  const page = db.get<PageRow>(PAGE_BEFORE, [segment, from]);
  const cursor = cursorAt(db, segment, page?.first ?? from, page === undefined ? [] : [page], 1);
  while (cursor.term !== undefined && Buffer.compare(cursor.term, from) < 0) cursor.next();
  return cursor;
}

/** `read`: the pages that were already read, up to the one that begins with `last`. */
function cursorAt(
  db: Database,
  segment: number,
  last: Uint8Array,
  read: PageRow[],
  atOnce: number,
): TermCursor {
  let pages = read;
  let after = new Uint8Array(last);
  return new TermCursor(() => {
    if (pages.length === 0) {
      pages = db.all(
        "SELECT first, data FROM posting WHERE segment = ? AND first > ? ORDER BY first LIMIT ?",
        [segment, after, atOnce],
      );
      after = new Uint8Array(pages.at(-1)?.first ?? after);
    }
    return pages.shift()?.data;
  });
}

/** The page that may contain a term, unless the term comes before all others, and the first term of the next page. */
export function pageOf(
  db: Database,
  segment: number,
  term: Uint8Array,
): { readonly data: Uint8Array | null; readonly next: Uint8Array | null } {
  const row = db.get<ReturnType<typeof pageOf>>(
    `SELECT (SELECT data FROM posting WHERE segment = ? AND first <= ? ORDER BY first DESC LIMIT 1) AS data,
            (SELECT min(first) FROM posting WHERE segment = ? AND first > ?) AS next`,
    [segment, term, segment, term],
  );
  return row ?? { data: null, next: null };
}

export function dropSegment(db: Database, id: number): void {
  db.run("DELETE FROM posting WHERE segment = ?", [id]);
  dropVectors(db, id);
  db.run("DELETE FROM text_segment WHERE id = ?", [id]);
}

const bytesOf = (array: Int32Array | Uint16Array): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
