import { locateMeaning, Table } from "./table.ts";
import { MOST_CHARACTERS, Tokenizer } from "./tokenize.ts";

/** The table of meaning: a vector for each word piece. Texts of similar meaning have vectors of a similar direction. */
export interface Meaning {
  readonly version: string;
  readonly dimensions: number;
  /** The normalised mean of its pieces' vectors; undefined for a text without a known piece. */
  embed(text: string): Float32Array | undefined;
  /** Whether this is one word of the vocabulary, in one piece, and so not a typo. */
  isWord(text: string): boolean;
  /** Reads and checks the whole file; throws `meaning-damaged`. */
  verify(): void;
  close(): void;
}

/**
 * Opens the table. Throws `meaning-missing`, `meaning-version` or `meaning-damaged`. Damage beyond the header is
 * noticed on use: then `embed` throws `meaning-damaged`, so no vector is ever wrong.
 */
export function openMeaning(path: string = locateMeaning()): Meaning {
  const table = new Table(path);
  const tokenizer = new Tokenizer(table.pieces);
  const { version, dimensions } = table.header;
  const times = new Uint8Array(table.header.rows + 1);

  function embed(text: string): Float32Array | undefined {
    const rows = tokenizer.read(withoutKeys(text));
    // Load all rows first: this throws if a row is damaged.
    for (let i = 0; i < rows.length; i++) table.rows.load(rows[i] ?? 0);
    // Texts repeat their pieces, so each distinct row is added once, with its count.
    for (let i = 0; i < rows.length; i++) times[rows[i] ?? 0] = (times[rows[i] ?? 0] ?? 0) + 1;
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i] ?? 0;
      const count = times[row] ?? 0;
      if (count > 0) table.rows.add(row, count);
      times[row] = 0;
    }
    return table.rows.direction();
  }

  function isWord(text: string): boolean {
    const rows = tokenizer.read(text);
    return rows.length === 1 && rows[0] !== 0;
  }

  function verify(): void {
    table.pieces.all();
    table.rows.loadAll();
  }

  return { version, dimensions, embed, isWord, verify, close: () => table.close() };
}

const LONG_RUN = /[A-Za-z0-9+=]{16,}/g;
const MANY_DIGITS = /(?:[0-9][^0-9]*){4}/;

/** Keys, hashes and encoded data consist of many pieces without meaning, which would outweigh the words around them. */
function withoutKeys(text: string): string {
  return text.slice(0, MOST_CHARACTERS).replace(LONG_RUN, (run) => (MANY_DIGITS.test(run) ? " " : run));
}
