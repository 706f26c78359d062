/** Which sequences of three characters a text has, ASCII letters in lower case. May say yes wrongly, never no. */
export interface Trigrams {
  /** False if the text certainly does not contain the literal. */
  mayContain(hashes: readonly number[]): boolean;
}

const BITS = 18;
const MASK = (1 << BITS) - 1;

/** One for each three characters of a literal. Empty for a shorter one. */
export function trigramHashes(literal: string): readonly number[] {
  const hashes = new Set<number>();
  let hash = 0;
  for (let i = 0; i < literal.length; i++) {
    hash = next(hash, literal.charCodeAt(i));
    if (i >= 2) hashes.add(hash);
  }
  return [...hashes];
}

export function trigramsOf(text: string): Trigrams {
  const bits = new Uint32Array((MASK + 1) / 32);
  let hash = 0;
  for (let i = 0; i < text.length; i++) {
    hash = next(hash, text.charCodeAt(i));
    const word = hash >>> 5;
    bits[word] = (bits[word] ?? 0) | (1 << (hash & 31));
  }
  return {
    mayContain: (hashes) => {
      for (const one of hashes) if (((bits[one >>> 5] ?? 0) & (1 << (one & 31))) === 0) return false;
      return true;
    },
  };
}

/** Six bits further with each character, so that after three others a character has no effect any more. */
function next(hash: number, unit: number): number {
  const folded = unit >= 65 && unit <= 90 ? unit + 32 : unit;
  return ((hash << 6) ^ folded ^ (folded >>> 6)) & MASK;
}
