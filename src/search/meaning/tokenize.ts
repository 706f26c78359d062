import { wordsOf } from "./normalize.ts";
import type { Table } from "./table.ts";

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
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code === 32 || code === 9 || code === 10 || code === 13) return SPACE;
  if (code < 32 || code === 127) return OTHER;
  if ((code > 47 && code < 58) || (code > 96 && code < 123)) return SMALL;
  return code > 64 && code < 91 ? CAPITAL : PUNCTUATION;
});
const END = 5;
const kindAt = (text: string, at: number): number =>
  at < text.length ? (KINDS[text.charCodeAt(at)] ?? OTHER) : END;

/** The reference takes these out of the text before it looks for words. */
const SPECIAL = ["[CLS]", "[MASK]", "[PAD]", "[SEP]", "[UNK]"];
const BRACKET = 91;

const NONE: readonly number[] = [0];
const encoder = new TextEncoder();
/** Texts after which words are cached: one query needs no cache, and making it would take longer than the query. */
const TEXTS_WITHOUT_CACHE = 8;

/**
 * Splits texts into word pieces exactly as BERT's uncased tokenizer does (Hugging Face `tokenizers`), camelCase first:
 * words are lower-cased and have no accents, each Chinese character and each punctuation mark is a word; of every word
 * the longest known piece is taken first, and a word that is not made of known pieces is one unknown piece.
 */
export class Tokenizer {
  /** The rows of the last text's pieces; 0 for a piece that has none and for an unknown one. */
  readonly rows = new Uint16Array(MOST_PIECES);
  readonly #table: Table;
  readonly #bytes = new Uint8Array(4 * LONGEST_WORD);
  #count = 0;
  #texts = 0;
  #cache: WordCache | undefined;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Puts the rows of a text's pieces into `rows` and returns how many there are. */
  read(whole: string): number {
    if (++this.#texts === TEXTS_WITHOUT_CACHE) this.#cache = new WordCache();
    const text = whole.length > MOST_CHARACTERS ? whole.slice(0, MOST_CHARACTERS) : whole;
    this.#count = 0;
    for (let at = 0; at < text.length && this.#count < MOST_PIECES; ) {
      let end = at;
      let hash = 0;
      let kind = kindAt(text, at);
      for (let before = END; kind === SMALL || (kind === CAPITAL && before !== SMALL); ) {
        hash = (Math.imul(hash, 31) + text.charCodeAt(end)) | 0;
        before = kind;
        kind = kindAt(text, ++end);
      }
      if (kind === OTHER) {
        while (kind !== SPACE && kind !== PUNCTUATION && kind !== END) kind = kindAt(text, ++end);
        for (const word of wordsOf(text.slice(at, end))) this.#add(this.#piecesOf(word));
        at = end;
      } else if (end > at) {
        this.#add(this.#plain(text, at, end, hash));
        at = end;
      } else if (kind === PUNCTUATION) {
        const special = text.charCodeAt(at) === BRACKET && SPECIAL.find((one) => text.startsWith(one, at));
        this.#add(special ? NONE : this.#plain(text, at, at + 1, text.charCodeAt(at)));
        at += special ? special.length : 1;
      } else at++;
    }
    return this.#count;
  }

  #add(pieces: readonly number[]): void {
    for (let i = 0; i < pieces.length && this.#count < MOST_PIECES; i++)
      this.rows[this.#count++] = pieces[i] ?? 0;
  }

  /** The pieces of an ASCII word, which may have capitals. */
  #plain(text: string, from: number, to: number, hash: number): readonly number[] {
    if (to - from > LONGEST_WORD) return NONE;
    const cache = to - from > LONGEST_CACHED ? undefined : this.#cache;
    const known = cache?.get(text, from, to, hash);
    if (known !== undefined) return known;
    const word = text.slice(from, to);
    const pieces = this.#piecesOf(word.toLowerCase());
    cache?.set(word, hash, pieces);
    return pieces;
  }

  #piecesOf(word: string): readonly number[] {
    const { read, written } = encoder.encodeInto(word, this.#bytes);
    // A character has at most four bytes, so a word that does not fit is too long as well.
    if (read < word.length || (word.length > LONGEST_WORD && [...word].length > LONGEST_WORD)) return NONE;
    const pieces: number[] = [];
    for (let at = 0; at < written; ) {
      const match = this.#table.match(this.#bytes, at, written);
      if (match === 0) return NONE;
      pieces.push(match % 65536);
      at = Math.floor(match / 65536);
    }
    return pieces;
  }
}

/** A longer slice would keep the whole text that it was cut from in memory (V8). */
const LONGEST_CACHED = 12;
const PLACES = 1 << 15;

/** Texts repeat their words. A new word replaces the old one at its place. */
class WordCache {
  readonly #words = new Array<string>(PLACES).fill("");
  readonly #pieces = new Array<readonly number[]>(PLACES).fill(NONE);

  get(text: string, from: number, to: number, hash: number): readonly number[] | undefined {
    const place = placeOf(hash);
    const word = this.#words[place] ?? "";
    return word.length === to - from && text.startsWith(word, from) ? this.#pieces[place] : undefined;
  }

  set(word: string, hash: number, pieces: readonly number[]): void {
    this.#words[placeOf(hash)] = word;
    this.#pieces[placeOf(hash)] = pieces;
  }
}

const placeOf = (hash: number): number => (hash ^ (hash >>> 15)) & (PLACES - 1);
