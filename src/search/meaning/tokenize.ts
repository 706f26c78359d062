import { wordsOf } from "./normalize.ts";
import type { Pieces } from "./pieces.ts";
import { LONGEST_CACHED, WordCache } from "./word-cache.ts";

/** What the table was trained with. More text hardly changes a mean. */
export const MOST_PIECES = 254;
/** The beginning of a huge text is enough: few texts reach the most pieces this late. */
export const MOST_CHARACTERS = 8192;
/** A longer word, in characters, is one unknown piece. */
const LONGEST_WORD = 100;

const SPACE = 0;
const SMALL = 1; // letters and digits
const CAPITAL = 2;
const PUNCTUATION = 3;
/** Control characters, which are removed, and everything beyond ASCII: the words around it are not plain. */
const OTHER = 4;
const END = 5;
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code === 32 || code === 9 || code === 10 || code === 13) return SPACE;
  if (code < 32 || code === 127) return OTHER;
  if ((code > 47 && code < 58) || (code > 96 && code < 123)) return SMALL;
  return code > 64 && code < 91 ? CAPITAL : PUNCTUATION;
});
/** Beyond the end of the text the code is NaN. */
const kindOf = (code: number): number => (code < 128 ? (KINDS[code] ?? OTHER) : code > 127 ? OTHER : END);

/** The reference takes these out of the text before it looks for words. */
const SPECIAL = ["[CLS]", "[MASK]", "[PAD]", "[SEP]", "[UNK]"];
const BRACKET = 91;

const UNKNOWN: readonly number[] = [0];
const encoder = new TextEncoder();
/** Texts after which words are cached: one query needs no cache, and making it would take longer than the query. */
const TEXTS_WITHOUT_CACHE = 8;

/**
 * Splits texts into word pieces exactly as BERT's uncased tokenizer does (Hugging Face `tokenizers`), camelCase first:
 * words are lower-cased and have no accents, each Chinese character and each punctuation mark is a word; of every word
 * the longest known piece is taken first, and a word that is not made of known pieces is one unknown piece.
 */
export class Tokenizer {
  readonly #pieces: Pieces;
  readonly #rows = new Uint16Array(MOST_PIECES);
  readonly #bytes = new Uint8Array(4 * LONGEST_WORD);
  #count = 0;
  #texts = 0;
  #cache: WordCache | undefined;

  constructor(pieces: Pieces) {
    this.#pieces = pieces;
  }

  /** The rows of a text's pieces, until the next call; 0 for a piece that has none and for an unknown one. */
  read(whole: string): Uint16Array {
    if (++this.#texts === TEXTS_WITHOUT_CACHE) this.#cache = new WordCache();
    const text = whole.length > MOST_CHARACTERS ? whole.slice(0, MOST_CHARACTERS) : whole;
    this.#count = 0;
    for (let at = 0; at < text.length && this.#count < MOST_PIECES; ) {
      let end = at;
      let hash = 0;
      let before = END;
      let code = text.charCodeAt(at);
      let kind = kindOf(code);
      while (kind === SMALL || (kind === CAPITAL && before !== SMALL)) {
        hash = (Math.imul(hash, 31) + code) | 0;
        before = kind;
        code = text.charCodeAt(++end);
        kind = kindOf(code);
      }
      if (kind === OTHER) at = this.#addMixed(text, at, end);
      else if (end > at) at = this.#addPlain(text, at, end, hash);
      else if (kind !== PUNCTUATION) at++;
      else if (code === BRACKET) at = this.#addBracket(text, at);
      else at = this.#addPlain(text, at, at + 1, code);
    }
    return this.#rows.subarray(0, this.#count);
  }

  /** Adds an ASCII word or punctuation mark and returns where it ends, as do the functions below. */
  #addPlain(text: string, from: number, to: number, hash: number): number {
    const cache = to - from > LONGEST_CACHED ? undefined : this.#cache;
    const copied = cache?.copy(text, from, to, hash, this.#rows, this.#count) ?? -1;
    if (copied >= 0) this.#count += copied;
    else {
      const rows = to - from > LONGEST_WORD ? UNKNOWN : this.#plainRows(text, from, to);
      cache?.set(text, from, to, hash, rows);
      this.#add(rows);
    }
    return to;
  }

  /** Adds the words around what is not ASCII, up to the next space or punctuation mark of ASCII. */
  #addMixed(text: string, from: number, at: number): number {
    let to = at;
    for (let kind = OTHER; kind === OTHER || kind === SMALL || kind === CAPITAL; )
      kind = kindOf(text.charCodeAt(++to));
    for (const word of wordsOf(text.slice(from, to))) this.#add(this.#mixedRows(word));
    return to;
  }

  #addBracket(text: string, at: number): number {
    const special = SPECIAL.find((one) => text.startsWith(one, at));
    if (special === undefined) return this.#addPlain(text, at, at + 1, BRACKET);
    this.#add(UNKNOWN);
    return at + special.length;
  }

  #add(rows: readonly number[]): void {
    for (let i = 0; i < rows.length && this.#count < MOST_PIECES; i++)
      this.#rows[this.#count++] = rows[i] ?? 0;
  }

  #plainRows(text: string, from: number, to: number): readonly number[] {
    for (let i = from; i < to; i++) {
      const code = text.charCodeAt(i);
      this.#bytes[i - from] = kindOf(code) === CAPITAL ? code + 32 : code;
    }
    return this.#rowsOf(to - from);
  }

  #mixedRows(word: string): readonly number[] {
    const { read, written } = encoder.encodeInto(word, this.#bytes);
    // A character has at most four bytes, so a word that does not fit is too long as well.
    if (read < word.length || (word.length > LONGEST_WORD && [...word].length > LONGEST_WORD)) return UNKNOWN;
    return this.#rowsOf(written);
  }

  /** Of the word in the first `length` of `#bytes`. */
  #rowsOf(length: number): readonly number[] {
    const rows: number[] = [];
    for (let at = 0; at < length; ) {
      const match = this.#pieces.match(this.#bytes, at, length);
      if (match === 0) return UNKNOWN;
      rows.push(match % 65536);
      at = Math.floor(match / 65536);
    }
    return rows;
  }
}
