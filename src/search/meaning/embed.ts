import { locateMeaning } from "./locate.ts";
import { Table } from "./table.ts";
import { Tokenizer } from "./tokenize.ts";

/** The table of meaning: a vector for each word piece. Texts of similar meaning have vectors of a similar direction. */
export interface Meaning {
  readonly version: string;
  readonly dimensions: number;
  /** The direction of the mean of its pieces' vectors, of length 1; undefined for a text without a known piece. */
  embed(text: string): Float32Array | undefined;
  /** Reads and checks the whole file; throws `meaning-damaged`. */
  verify(): void;
  close(): void;
}

/**
 * Opens the table. Throws `meaning-missing`, `meaning-version` or `meaning-damaged`. What is damaged beyond the beginning
 * is noticed when it is used: then `embed` throws `meaning-damaged`, so no vector is ever wrong.
 */
export function openMeaning(path: string = locateMeaning()): Meaning {
  const table = new Table(path);
  const tokenizer = new Tokenizer(table);
  const { version, dimensions } = table.header;
  const sum = new Float64Array(dimensions);
  const times = new Uint8Array(table.header.rows + 1);

  function embed(text: string): Float32Array | undefined {
    const count = tokenizer.read(text);
    const rows = tokenizer.rows.subarray(0, count);
    sum.fill(0);
    // Before anything is counted: this throws where a row is damaged.
    for (const row of rows) table.load(row);
    // Texts repeat their pieces: each row is added once.
    for (const row of rows) times[row] = (times[row] ?? 0) + 1;
    for (const row of rows) {
      const share = times[row] ?? 0;
      times[row] = 0;
      if (row !== 0 && share !== 0) add(row, share);
    }
    return unit(sum);
  }

  function add(row: number, share: number): void {
    const { values } = table;
    const weight = (table.scales[row] ?? 0) * share;
    const from = row * dimensions;
    // Four at a time: this loop is most of what embedding costs.
    for (let i = 0; i < dimensions; i += 4) {
      sum[i] = (sum[i] ?? 0) + (values[from + i] ?? 0) * weight;
      sum[i + 1] = (sum[i + 1] ?? 0) + (values[from + i + 1] ?? 0) * weight;
      sum[i + 2] = (sum[i + 2] ?? 0) + (values[from + i + 2] ?? 0) * weight;
      sum[i + 3] = (sum[i + 3] ?? 0) + (values[from + i + 3] ?? 0) * weight;
    }
  }

  return { version, dimensions, embed, verify: () => table.verify(), close: () => table.close() };
}

function unit(sum: Float64Array): Float32Array | undefined {
  let squares = 0;
  for (const value of sum) squares += value * value;
  if (squares === 0) return undefined;
  const length = Math.sqrt(squares);
  const vector = new Float32Array(sum.length);
  for (let i = 0; i < sum.length; i++) vector[i] = (sum[i] ?? 0) / length;
  return vector;
}
