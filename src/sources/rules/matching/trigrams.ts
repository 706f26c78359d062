/**
 * Which parts of a text contain which three-character sequences, with ASCII letters in lower case. One pass over the
 * text makes searching for each of a thousand literals fast. May report a part wrongly, but never misses one.
 */
export interface Trigrams {
  readonly parts: readonly Part[];
  /** The parts that may contain a literal, as a bit mask. */
  partsWith(hashes: readonly number[]): number;
}

/** A part consists of whole lines. */
export interface Part {
  readonly start: number;
  readonly end: number;
}

const HASH_BITS = 16;
const MASK = (1 << HASH_BITS) - 1;
/** One for each bit of an integer. */
const MOST_PARTS = 32;

/** One hash for each three characters of a literal. Empty if it is shorter. */
export function trigramHashes(literal: string): readonly number[] {
  const hashes = new Set<number>();
  let [first, second] = [0, 0];
  for (let i = 0; i < literal.length; i++) {
    const third = fold(literal.charCodeAt(i));
    if (i >= 2) hashes.add(hashOf(first, second, third));
    [first, second] = [second, third];
  }
  return [...hashes];
}

export function trigramsOf(text: string): Trigrams {
  const parts = partsOf(text);
  const masks = new Int32Array(MASK + 1);
  let [first, second] = [0, 0];
  for (let part = 0; part < parts.length; part++) {
    const { start = 0, end = 0 } = parts[part] ?? {};
    const bit = 1 << part;
    for (let i = start; i < end; i++) {
      const third = fold(text.charCodeAt(i));
      const hash = hashOf(first, second, third);
      masks[hash] = (masks[hash] ?? 0) | bit;
      first = second;
      second = third;
    }
  }
  const all = parts.length === MOST_PARTS ? -1 : (1 << parts.length) - 1;
  return {
    parts,
    partsWith(hashes) {
      let mask = all;
      for (const hash of hashes) mask &= masks[hash] ?? 0;
      return mask;
    },
  };
}

export function partsOf(text: string, most = MOST_PARTS): readonly Part[] {
  const parts: Part[] = [];
  const size = Math.ceil(text.length / most);
  for (let start = 0; start < text.length && parts.length < most; ) {
    const after = parts.length === most - 1 ? -1 : text.indexOf("\n", start + size);
    const end = after < 0 ? text.length : after;
    parts.push({ start, end });
    start = end + 1;
  }
  return parts;
}

function fold(unit: number): number {
  return unit >= 65 && unit <= 90 ? unit + 32 : unit;
}

function hashOf(first: number, second: number, third: number): number {
  return ((first << 10) ^ (second << 5) ^ third ^ (third >>> 8)) & MASK;
}
