import type { Database } from "../../../store/sqlite/types.ts";
import type { Note } from "../notes/note.ts";
import { passagesOf } from "../search/passages.ts";
import { eachTerm } from "../search/words.ts";
import {
  BLOCK_BITS,
  BLOCK_SIZE,
  COUNT,
  changeBlock,
  encodeOccurrences,
  IN_NAMES,
  IN_TITLE,
  type Occurrence,
} from "./postings.ts";
import type { Shelf } from "./shelf.ts";
import { ByteReader, ByteWriter } from "./varint.ts";

/**
 * Which terms occur where: an inverted index of our own. SQLite's FTS5 would rank by one formula with fixed constants,
 * needs a row for each match to be fetched, and takes twice the space; here a term's notes come in a few blobs.
 * The notes' own text is not in it.
 */
const SCHEMA = `
  CREATE TABLE term (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE, passages INTEGER NOT NULL);
  -- see postings.ts
  CREATE TABLE posting (term INTEGER, block INTEGER, data BLOB NOT NULL, PRIMARY KEY (term, block)) WITHOUT ROWID;
  -- How many terms each passage has, for the notes of a block: step to the note, number of passages, their lengths.
  CREATE TABLE passage_length (block INTEGER PRIMARY KEY, data BLOB NOT NULL);
  -- Which terms a note has, as steps from one id to the next: what must be taken out when it changes.
  CREATE TABLE note_term (note INTEGER PRIMARY KEY, data BLOB NOT NULL);
  CREATE TABLE text_total (one INTEGER PRIMARY KEY CHECK (one = 1), passages INTEGER NOT NULL, length INTEGER NOT NULL);
  INSERT INTO text_total VALUES (1, 0, 0);
`;

/** By term, then by block, then by the note's place in it: its occurrences, or undefined where it is taken out. */
type Changes = Map<number, Map<number, Map<number, Uint8Array | undefined>>>;

/** Gathers a transaction's changes and writes each touched blob once: a note alone touches a hundred of them. */
export function textShelf(): Shelf {
  let gathered = new Map<number, Reading | undefined>();
  return {
    name: "text",
    schema: SCHEMA,
    put: (_db, id, note) => void gathered.set(id, readTerms(note)),
    remove: (_db, id) => void gathered.set(id, undefined),
    settle(db) {
      const changes = gathered;
      gathered = new Map();
      if (changes.size > 0) write(db, changes);
    },
    abandon() {
      gathered = new Map();
    },
  };
}

interface Reading {
  readonly occurrences: ReadonlyMap<string, Occurrence[]>;
  readonly lengths: readonly number[];
}

function readTerms(note: Note): Reading {
  const occurrences = new Map<string, { passage: number; flags: number }[]>();
  const see = (term: string, passage: number, add: (flags: number) => number): void => {
    const list = entry(occurrences, term, () => []);
    const last = list.at(-1);
    if (last?.passage === passage) last.flags = add(last.flags);
    else list.push({ passage, flags: add(0) });
  };
  eachTerm(note.title, (term) => see(term, 0, (flags) => flags | IN_TITLE));
  for (const name of [...note.concepts, ...note.tags]) {
    eachTerm(name, (term) => see(term, 0, (flags) => flags | IN_NAMES));
  }
  const lengths = passagesOf(note.body).map((text, passage) => {
    let length = 0;
    eachTerm(text, (term) => {
      length++;
      see(term, passage, (flags) => ((flags & COUNT) < COUNT ? flags + 1 : flags));
    });
    return length;
  });
  return { occurrences, lengths };
}

function write(db: Database, notes: ReadonlyMap<number, Reading | undefined>): void {
  const postings: Changes = new Map();
  for (const id of notes.keys()) {
    for (const term of takeTerms(db, id)) change(postings, term, id, undefined);
  }
  const ids = new Map<string, number>();
  for (const [id, reading] of notes) {
    if (reading === undefined) continue;
    const terms: number[] = [];
    for (const [text, occurrences] of reading.occurrences) {
      const term = entry(ids, text, () => termId(db, text));
      terms.push(term);
      change(postings, term, id, encodeOccurrences(occurrences));
    }
    db.run("INSERT INTO note_term VALUES (?, ?)", [id, encodeSteps(terms)]);
  }
  // In the order in which they are stored, so that neighbours are written together.
  for (const term of [...postings.keys()].sort((a, b) => a - b))
    writeTerm(db, term, postings.get(term) ?? new Map());
  writeLengths(db, notes);
}

function change(changes: Changes, term: number, note: number, bytes: Uint8Array | undefined): void {
  const blocks = entry(changes, term, () => new Map());
  const block = entry(blocks, note >> BLOCK_BITS, () => new Map());
  block.set(note % BLOCK_SIZE, bytes);
}

/** What a map has under a key, made on first use. */
function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = make();
  map.set(key, made);
  return made;
}

function takeTerms(db: Database, note: number): number[] {
  const row = db.get<{ data: Uint8Array }>("SELECT data FROM note_term WHERE note = ?", [note]);
  if (row === undefined) return [];
  db.run("DELETE FROM note_term WHERE note = ?", [note]);
  return decodeSteps(row.data);
}

function termId(db: Database, text: string): number {
  const known = db.get<{ id: number }>("SELECT id FROM term WHERE text = ?", [text]);
  return known?.id ?? db.run("INSERT INTO term (text, passages) VALUES (?, 0)", [text]).lastId;
}

function writeTerm(
  db: Database,
  term: number,
  blocks: ReadonlyMap<number, ReadonlyMap<number, Uint8Array | undefined>>,
): void {
  let gained = 0;
  for (const [number, changes] of blocks) {
    const key = [term, number];
    const row = db.get<{ data: Uint8Array }>("SELECT data FROM posting WHERE term = ? AND block = ?", key);
    const changed = changeBlock(row?.data ?? new Uint8Array(), changes);
    gained += changed.gained;
    if (changed.block.length === 0) db.run("DELETE FROM posting WHERE term = ? AND block = ?", key);
    else db.run("INSERT OR REPLACE INTO posting VALUES (?, ?, ?)", [term, number, changed.block]);
  }
  if (gained === 0) return;
  db.run("UPDATE term SET passages = passages + ? WHERE id = ?", [gained, term]);
  if (gained < 0) db.run("DELETE FROM term WHERE id = ? AND passages = 0", [term]);
}

function writeLengths(db: Database, notes: ReadonlyMap<number, Reading | undefined>): void {
  let passages = 0;
  let length = 0;
  const count = (lengths: readonly number[], sign: 1 | -1): void => {
    passages += sign * lengths.length;
    length += sign * lengths.reduce((sum, one) => sum + one, 0);
  };
  for (const number of new Set([...notes.keys()].map((id) => id >> BLOCK_BITS))) {
    const block = lengthsOf(db, number);
    for (const [id, reading] of notes) {
      if (id >> BLOCK_BITS !== number) continue;
      const slot = id % BLOCK_SIZE;
      count(block.get(slot) ?? [], -1);
      block.delete(slot);
      if (reading === undefined) continue;
      count(reading.lengths, 1);
      block.set(slot, reading.lengths);
    }
    if (block.size === 0) db.run("DELETE FROM passage_length WHERE block = ?", [number]);
    else db.run("INSERT OR REPLACE INTO passage_length VALUES (?, ?)", [number, encodeLengths(block)]);
  }
  db.run("UPDATE text_total SET passages = passages + ?, length = length + ?", [passages, length]);
}

/** The lengths of the passages of a block's notes, by the notes' places in it. */
export function lengthsOf(db: Database, block: number): Map<number, readonly number[]> {
  const row = db.get<{ data: Uint8Array }>("SELECT data FROM passage_length WHERE block = ?", [block]);
  const lengths = new Map<number, readonly number[]>();
  const reader = new ByteReader(row?.data ?? new Uint8Array());
  for (let slot = -1; !reader.isAtEnd; ) {
    slot += reader.varint();
    const count = reader.varint();
    const list: number[] = [];
    for (let i = 0; i < count; i++) list.push(reader.varint());
    lengths.set(slot, list);
  }
  return lengths;
}

function encodeLengths(block: ReadonlyMap<number, readonly number[]>): Uint8Array {
  const out = new ByteWriter();
  let before = -1;
  for (const slot of [...block.keys()].sort((a, b) => a - b)) {
    const lengths = block.get(slot) ?? [];
    out.varint(slot - before);
    out.varint(lengths.length);
    for (const length of lengths) out.varint(length);
    before = slot;
  }
  return out.take();
}

function encodeSteps(numbers: number[]): Uint8Array {
  const out = new ByteWriter();
  let before = 0;
  for (const number of numbers.sort((a, b) => a - b)) {
    out.varint(number - before);
    before = number;
  }
  return out.take();
}

function decodeSteps(bytes: Uint8Array): number[] {
  const reader = new ByteReader(bytes);
  const numbers: number[] = [];
  let number = 0;
  while (!reader.isAtEnd) {
    number += reader.varint();
    numbers.push(number);
  }
  return numbers;
}
