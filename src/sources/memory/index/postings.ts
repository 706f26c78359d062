import { ByteReader, ByteWriter } from "./varint.ts";

/**
 * Where a term occurs, for a block of notes at a time: for each note, ascending, the step from the note before, then
 * its occurrences. Most notes have one passage and most terms occur once or twice in it: two bytes.
 *
 * An occurrence is a byte (how often, up to 7; whether in the title; whether among concepts and tags; whether a passage
 * number follows, else it is the first passage; whether another passage of this note follows).
 */
export const BLOCK_BITS = 10;
export const BLOCK_SIZE = 1 << BLOCK_BITS;

export const COUNT = 0x07;
export const IN_TITLE = 0x08;
export const IN_NAMES = 0x10;
const HAS_PASSAGE = 0x20;
const MORE = 0x40;

export interface Occurrence {
  readonly passage: number;
  /** Count and fields, as in the byte. */
  readonly flags: number;
}

export function encodeOccurrences(occurrences: readonly Occurrence[]): Uint8Array {
  const out = new ByteWriter();
  let before = 0;
  for (const [i, { passage, flags }] of occurrences.entries()) {
    const more = i + 1 < occurrences.length ? MORE : 0;
    out.byte(flags | more | (passage > before ? HAS_PASSAGE : 0));
    if (passage > before) out.varint(passage - before);
    before = passage;
  }
  return out.take();
}

/** Calls `see` for every occurrence in a block: the note's place in it, the passage, count and fields. */
export function eachOccurrence(
  block: Uint8Array,
  see: (slot: number, passage: number, flags: number) => void,
): void {
  const reader = new ByteReader(block);
  let slot = -1;
  while (!reader.isAtEnd) {
    slot += reader.varint();
    let passage = 0;
    for (let flags = MORE; flags & MORE; ) {
      flags = reader.byte();
      if (flags & HAS_PASSAGE) passage += reader.varint();
      see(slot, passage, flags);
    }
  }
}

/** What becomes of notes in a block: their new occurrences, or undefined where they are taken out. */
export type Changes = ReadonlyMap<number, Uint8Array | undefined>;

export interface Changed {
  readonly block: Uint8Array;
  /** By how many passages the term occurs in more, or fewer. */
  readonly gained: number;
}

export function changeBlock(block: Uint8Array, changes: Changes): Changed {
  const entries = new Map<number, Uint8Array>();
  let gained = 0;
  const reader = new ByteReader(block);
  let slot = -1;
  while (!reader.isAtEnd) {
    slot += reader.varint();
    const from = reader.at;
    const passages = skipOccurrences(reader);
    if (changes.has(slot)) gained -= passages;
    else entries.set(slot, reader.slice(from, reader.at));
  }
  for (const [at, bytes] of changes) {
    if (bytes === undefined) continue;
    entries.set(at, bytes);
    gained += skipOccurrences(new ByteReader(bytes));
  }
  const out = new ByteWriter();
  let before = -1;
  for (const at of [...entries.keys()].sort((a, b) => a - b)) {
    out.varint(at - before);
    out.append(entries.get(at) ?? new Uint8Array());
    before = at;
  }
  return { block: out.take(), gained };
}

/** Passes over one note's occurrences and counts them. */
function skipOccurrences(reader: ByteReader): number {
  let count = 0;
  for (let flags = MORE; flags & MORE; count++) {
    flags = reader.byte();
    if (flags & HAS_PASSAGE) reader.varint();
  }
  return count;
}
