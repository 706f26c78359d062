import { ByteReader, ByteWriter } from "./varint.ts";

/**
 * Where a term occurs in a segment: in how many passages, then for each document, ascending, the step from the one
 * before and its occurrences. Most notes have one passage and most terms occur once or twice in it: two bytes.
 *
 * An occurrence is a byte: how often, up to 7; whether in the title; whether among concepts and tags; whether passages
 * are skipped, and then how many (else it is the first passage, or the next); whether another one follows.
 */
export const COUNT = 0x07;
export const IN_TITLE = 0x08;
export const IN_NAMES = 0x10;
export const FIELDS = COUNT | IN_TITLE | IN_NAMES;
const HAS_STEP = 0x20;
const MORE = 0x40;

export interface Occurrence {
  readonly passage: number;
  /** Count and fields, as in the byte. */
  readonly flags: number;
}

/** Builds the postings of one term, document by document. */
export class PostingsWriter {
  private readonly out = new ByteWriter();
  private passages = 0;
  private before = -1;

  add(slot: number, occurrences: readonly Occurrence[]): void {
    this.out.varint(slot - this.before);
    this.before = slot;
    let expected = 0;
    for (const [i, one] of occurrences.entries()) {
      const more = i + 1 < occurrences.length ? MORE : 0;
      this.out.byte(one.flags | more | (one.passage > expected ? HAS_STEP : 0));
      if (one.passage > expected) this.out.varint(one.passage - expected);
      expected = one.passage + 1;
    }
    this.passages += occurrences.length;
  }

  get isEmpty(): boolean {
    return this.passages === 0;
  }

  take(): Uint8Array {
    const head = new ByteWriter();
    head.varint(this.passages);
    head.append(this.out.take());
    return head.take();
  }
}

/** What was written for each term; terms of which nothing was written are left out. */
export function listsOf(writers: ReadonlyMap<string, PostingsWriter>): Map<string, Uint8Array> {
  const lists = new Map<string, Uint8Array>();
  for (const [term, writer] of writers) if (!writer.isEmpty) lists.set(term, writer.take());
  return lists;
}

/** In how many passages the term occurs, documents that are gone included. */
export const passagesIn = (data: Uint8Array): number => new ByteReader(data).varint();

/** Calls `see` for every occurrence: the document's place in its segment, the passage, count and fields. */
export function eachOccurrence(
  data: Uint8Array,
  see: (slot: number, passage: number, flags: number) => void,
): void {
  const reader = new ByteReader(data);
  reader.varint();
  let slot = -1;
  while (!reader.isAtEnd) {
    slot += reader.varint();
    let passage = 0;
    for (let flags = MORE; flags & MORE; passage++) {
      flags = reader.byte();
      if (flags & HAS_STEP) passage += reader.varint();
      see(slot, passage, flags);
    }
  }
}
