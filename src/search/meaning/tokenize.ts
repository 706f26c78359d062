import { normalized } from "../../base/text.ts";
import type { Pieces } from "./pieces.ts";

/** The limit that the table was trained with. More text hardly changes a mean. */
export const MOST_PIECES = 254;
/** The beginning of a huge text is enough: few texts reach `MOST_PIECES` this late. */
export const MOST_CHARACTERS = 8192;
/** In characters: a longer word is one unknown piece. */
const LONGEST_WORD = 100;

const SPACE = 0;
const SMALL = 1; // letters and digits
const CAPITAL = 2;
const PUNCTUATION = 3;
/** Control characters, which are removed, and everything beyond ASCII: words next to them are not plain. */
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

/** The reference implementation removes these before it splits words. */
const SPECIAL = ["[CLS]", "[MASK]", "[PAD]", "[SEP]", "[UNK]"];
const BRACKET = 91;

const UNKNOWN: readonly number[] = [0];
const encoder = new TextEncoder();
/** Words are cached only after this many texts: a single query takes less time than creating the cache. */
const TEXTS_WITHOUT_CACHE = 8;

/**
 * Splits texts into word pieces exactly as BERT's uncased tokenizer does (Hugging Face `tokenizers`), after splitting
 * camelCase. Words are lower-cased and lose their accents; each Chinese character and each punctuation mark is a word.
 * Pieces are matched greedily, longest first; a word that cannot be built from known pieces is one unknown piece.
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

  /** The rows of a text's pieces, valid until the next call; 0 for an unknown piece and for one without a row. */
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

  /** Adds an ASCII word or punctuation mark and returns where it ends; so do the functions below. */
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

  /** Adds the words around a character outside ASCII, up to the next ASCII space or punctuation mark. */
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
    // A character has at most four bytes, so a word that does not fit is also too long.
    if (read < word.length || (word.length > LONGEST_WORD && [...word].length > LONGEST_WORD)) return UNKNOWN;
    return this.#rowsOf(written);
  }

  /** The rows of the word in the first `length` bytes of `#bytes`. */
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

/** Removed characters, so that their neighbours become one word. Before that, an unpaired surrogate becomes U+FFFD. */
const REMOVED = /[\p{Cc}\p{Cf}\p{Co}\ufffd]/gu;
/** BERT's own list of Chinese characters, each of which is a word. */
const CHINESE =
  /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{2a6df}\u{2a700}-\u{2b81f}\u{2b920}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/gu;
/** A word, or one punctuation mark. ASCII symbols count as punctuation. */
const WORDS = /[^\s\p{P}$+<=>^`|~]+|[\p{P}$+<=>^`|~]/gu;

/**
 * The words of a text that is not ASCII, as BERT's uncased tokenizer forms them, after splitting camelCase. For ASCII,
 * tokenize.ts is faster. The reference knows Unicode 8: a character that was added or changed its category later may
 * count here as a letter and there as a mark or punctuation. No piece contains one.
 */
export function wordsOf(text: string): readonly string[] {
  const cleaned = text
    .toWellFormed()
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(REMOVED, "")
    .replace(CHINESE, " $& ");
  const plain = normalized(cleaned, "NFD").replace(/\p{Mn}/gu, "");
  // The reference lower-cases each character by itself, so it makes no final sigma.
  return plain.replaceAll("Σ", "σ").toLowerCase().match(WORDS) ?? [];
}

/** Longer words, and words with more pieces, are rare. */
const LONGEST_CACHED = 16;
const MOST_WORD_PIECES = 7;
const PLACES = 1 << 15;

/**
 * Caches the rows of ASCII words, because texts repeat their words. A new word replaces the old one in its slot. Words
 * are kept as bytes: comparing with a string takes longer, and in V8 a slice would keep the whole text in memory.
 */
class WordCache {
  readonly #lengths = new Uint8Array(PLACES);
  readonly #words = new Uint8Array(PLACES * LONGEST_CACHED);
  /** For each word, the number of its rows and the rows. */
  readonly #rows = new Uint16Array(PLACES * (MOST_WORD_PIECES + 1));

  /**
   * Copies the rows of a word into `rows`, as far as there is space, and returns their number; -1 if the word is not
   * cached.
   */
  copy(text: string, from: number, to: number, hash: number, rows: Uint16Array, at: number): number {
    const place = placeOf(hash);
    const length = to - from;
    if (this.#lengths[place] !== length) return -1;
    const word = place * LONGEST_CACHED;
    for (let i = 0; i < length; i++) if (this.#words[word + i] !== text.charCodeAt(from + i)) return -1;
    const first = place * (MOST_WORD_PIECES + 1);
    const count = Math.min(this.#rows[first] ?? 0, rows.length - at);
    for (let i = 0; i < count; i++) rows[at + i] = this.#rows[first + 1 + i] ?? 0;
    return count;
  }

  set(text: string, from: number, to: number, hash: number, rows: readonly number[]): void {
    if (rows.length > MOST_WORD_PIECES) return;
    const place = placeOf(hash);
    this.#lengths[place] = to - from;
    for (let i = 0; i < to - from; i++) this.#words[place * LONGEST_CACHED + i] = text.charCodeAt(from + i);
    this.#rows.set([rows.length, ...rows], place * (MOST_WORD_PIECES + 1));
  }
}

const placeOf = (hash: number): number => (hash ^ (hash >>> 15)) & (PLACES - 1);
