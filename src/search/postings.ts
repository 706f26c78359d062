import { ByteReader, type ByteWriter } from "./varint.ts";

/**
 * Where a term occurs in a segment: for each passage, ascending, the step from the one before, doubled. Most terms occur
 * once, in the text: that is all. Else one is added, and a byte follows: how often, up to 7; whether in the note's
 * title; whether among its concepts and tags. The latter two stand with the note's first passage.
 */
export const COUNT = 0x07;
export const IN_TITLE = 0x08;
export const IN_NAMES = 0x10;
const ONCE = 1;

/** The first step is from -1. */
export function writeOccurrence(out: ByteWriter, step: number, flags: number): void {
  if (flags === ONCE) out.varint(step * 2);
  else {
    out.varint(step * 2 + 1);
    out.byte(flags);
  }
}

/** Calls `see` for every occurrence: the passage's place in its segment, count and fields. */
export function eachOccurrence(list: Uint8Array, see: (passage: number, flags: number) => void): void {
  const reader = new ByteReader(list);
  let passage = -1;
  while (!reader.isAtEnd) {
    const head = reader.varint();
    passage += head >> 1;
    see(passage, head & 1 ? reader.byte() : ONCE);
  }
}

/**
 * The same, into arrays from `at` on: passages and their flags. Returns where they end. Searches read some hundred
 * thousand occurrences, and a call for each would take several times as long.
 */
export function readOccurrences(
  list: Uint8Array,
  at: number,
  passages: Int32Array,
  flags: Uint8Array,
): number {
  const { length } = list;
  let to = at;
  let passage = -1;
  for (let from = 0; from < length; ) {
    let head = list[from++] as number;
    if (head > 127) {
      head &= 127;
      // A segment has less than 2^27 passages: four bytes.
      for (let shift = 7; from < length; shift += 7) {
        const byte = list[from++] as number;
        head |= (byte & 127) << shift;
        if (byte < 128) break;
      }
    }
    passage += head >> 1;
    passages[to] = passage;
    // By arithmetic: whether flags follow is as good as chance, and a processor that guesses wrong half the time is slow.
    const isMarked = head & 1;
    const next = from < length ? (list[from] as number) : 0;
    flags[to++] = ONCE + isMarked * (next - ONCE);
    from += isMarked;
  }
  return to;
}
