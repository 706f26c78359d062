/**
 * A term is a stem: "product", "products" and "production" are the same one. Which of these forms occurs is kept as one
 * of three classes, so that the exact word can rank above its stem. Three classes distinguish most words with the same
 * stem, and need no extra byte for most occurrences.
 */
export const BASE = 0x20;
/** A plural of the base, or a word that ends in -ed or -ing. */
export const INFLECTED = 0x40;
/** Any other form: "production", "productive". */
export const DERIVED = 0x80;
export const FORMS = BASE | INFLECTED | DERIVED;

/** The class of a folded word with this stem. */
export function formOf(word: string, stem: string): number {
  if (isBase(word, stem)) return BASE;
  const singulars = word.endsWith("s") && !word.endsWith("ss") ? singularsOf(word) : [];
  if (singulars.some((one) => isBase(one, stem))) return INFLECTED;
  return /(?:ed|ing)s?$/.test(word) ? INFLECTED : DERIVED;
}

/**
 * The stem itself, or with the ending that stemming changes: "cach" for "cache", "queri" for "query", "instal" for
 * "install".
 */
function isBase(word: string, stem: string): boolean {
  if (word.length === stem.length) return word === stem || (word.endsWith("y") && stem.endsWith("i"));
  return word.length === stem.length + 1 && word.startsWith(stem) && /(?:e|ll)$/.test(word);
}

const singularsOf = (word: string): string[] => [
  word.slice(0, -1),
  word.slice(0, -2),
  `${word.slice(0, -3)}y`,
];

/**
 * Where a term occurs in a segment. For each passage, ascending: four times the distance from the previous one. The two
 * low bits tell the form of a term that occurs once, in the text, as most do. Otherwise they are 3 and a byte follows with
 * flags: the count (up to 7), whether it is in the note's title, whether it is among its concepts and tags, and in which
 * forms it occurs. Title and names are stored with the note's first passage.
 */
export const COUNT = 0x07;
export const IN_TITLE = 0x08;
export const IN_NAMES = 0x10;

const ONCE: readonly number[] = [1 | BASE, 1 | INFLECTED, 1 | DERIVED];
const HAS_FLAGS = 3;

/** The first step is counted from -1. */
export function writeOccurrence(out: ByteWriter, step: number, flags: number): void {
  const once = ONCE.indexOf(flags);
  if (once >= 0) out.varint(step * 4 + once);
  else {
    out.varint(step * 4 + HAS_FLAGS);
    out.byte(flags);
  }
}

/** Calls `visit` for every occurrence with the passage's place in its segment and its flags. */
export function eachOccurrence(list: Uint8Array, visit: (passage: number, flags: number) => void): void {
  const reader = new ByteReader(list);
  let passage = -1;
  while (!reader.isAtEnd) {
    const head = reader.varint();
    passage += head >> 2;
    visit(passage, ONCE[head & 3] ?? reader.byte());
  }
}

/**
 * The same, written into two arrays from `at` on. Returns the end. A search reads some hundred thousand occurrences,
 * and a callback for each would take several times as long.
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
      // A segment has fewer than 2^26 passages: at most four bytes.
      for (let shift = 7; from < length; shift += 7) {
        const byte = list[from++] as number;
        head |= (byte & 127) << shift;
        if (byte < 128) break;
      }
    }
    passage += head >> 2;
    passages[to] = passage;
    // No branch: whether flags follow is unpredictable, and mispredicted branches are slow.
    const hasFlags = head & (head >> 1) & 1;
    const next = from < length ? (list[from] as number) : 0;
    // 1 | BASE, 1 | INFLECTED or 1 | DERIVED
    const once = 1 | (BASE << (head & 3));
    flags[to++] = once + hasFlags * (next - once);
    from += hasFlags;
  }
  return to;
}

/** Writes varints, seven bits to a byte, because postings are mostly small steps. */
export class ByteWriter {
  private bytes = new Uint8Array(64);
  private length = 0;

  get size(): number {
    return this.length;
  }

  byte(value: number): void {
    if (this.length === this.bytes.length) this.grow(1);
    this.bytes[this.length++] = value;
  }

  varint(value: number): void {
    let rest = value;
    for (; rest > 127; rest = Math.floor(rest / 128)) this.byte((rest % 128) + 128);
    this.byte(rest);
  }

  append(bytes: Uint8Array): void {
    if (this.length + bytes.length > this.bytes.length) this.grow(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** Returns what was written and empties the writer. Valid until the next write: copy what must be kept. */
  take(): Uint8Array {
    const taken = this.bytes.subarray(0, this.length);
    this.length = 0;
    return taken;
  }

  private grow(by: number): void {
    const larger = new Uint8Array(Math.max(this.bytes.length * 2, this.length + by));
    larger.set(this.bytes);
    this.bytes = larger;
  }
}

export class ByteReader {
  private readonly bytes: Uint8Array;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  byte(): number {
    return this.bytes[this.at++] ?? 0;
  }

  varint(): number {
    let byte = this.byte();
    if (byte < 128) return byte;
    let value = byte - 128;
    for (let scale = 128; byte > 127 && this.at < this.bytes.length; scale *= 128) {
      byte = this.byte();
      value += (byte & 127) * scale;
    }
    return value;
  }

  /** The next bytes, without a copy. */
  bytesOf(length: number): Uint8Array {
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }
}
