/** Longer words, and words of more pieces, are rare. */
export const LONGEST_CACHED = 16;
const MOST_PIECES = 7;
const PLACES = 1 << 15;

/**
 * Texts repeat their words: the rows of ASCII words. A new word replaces the old one at its place. Words are kept as bytes,
 * because comparing with a string takes longer, and a slice would keep the whole text that it was cut from in memory (V8).
 */
export class WordCache {
  readonly #lengths = new Uint8Array(PLACES);
  readonly #words = new Uint8Array(PLACES * LONGEST_CACHED);
  /** For each word how many rows there are, and the rows. */
  readonly #rows = new Uint16Array(PLACES * (MOST_PIECES + 1));

  /** Copies the rows of a word into `rows`, as far as there is room, and returns how many these are; -1 if it is not here. */
  copy(text: string, from: number, to: number, hash: number, rows: Uint16Array, at: number): number {
    const place = placeOf(hash);
    const length = to - from;
    if (this.#lengths[place] !== length) return -1;
    const word = place * LONGEST_CACHED;
    for (let i = 0; i < length; i++) if (this.#words[word + i] !== text.charCodeAt(from + i)) return -1;
    const first = place * (MOST_PIECES + 1);
    const count = Math.min(this.#rows[first] ?? 0, rows.length - at);
    for (let i = 0; i < count; i++) rows[at + i] = this.#rows[first + 1 + i] ?? 0;
    return count;
  }

  set(text: string, from: number, to: number, hash: number, rows: readonly number[]): void {
    if (rows.length > MOST_PIECES) return;
    const place = placeOf(hash);
    this.#lengths[place] = to - from;
    for (let i = 0; i < to - from; i++) this.#words[place * LONGEST_CACHED + i] = text.charCodeAt(from + i);
    this.#rows.set([rows.length, ...rows], place * (MOST_PIECES + 1));
  }
}

const placeOf = (hash: number): number => (hash ^ (hash >>> 15)) & (PLACES - 1);
