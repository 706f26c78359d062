import { closeSync, existsSync, readSync } from "node:fs";
import { join } from "node:path";
import { ContinuoError } from "../../base/errors.ts";
import { isRefused, type OpenFile, openFile } from "../../store/read-file.ts";
import {
  checksum,
  damaged,
  HEADER_BYTES,
  type Header,
  MOST_WEIGHT,
  placesOf,
  readHeader,
  rowSeed,
} from "./format.ts";
import { Pieces } from "./pieces.ts";
import { MOST_PIECES } from "./tokenize.ts";

/** The open file. Pieces are in memory; rows are read when needed. */
export class Table {
  readonly header: Header;
  readonly pieces: Pieces;
  readonly rows: Rows;
  #file: number | undefined;

  constructor(path: string) {
    const { descriptor, stats } = opened(path);
    this.#file = descriptor;
    try {
      const header = new Uint8Array(HEADER_BYTES);
      this.#read(header, 0, HEADER_BYTES, 0);
      this.header = readHeader(header);
      const { rowBytes, rowsAt, end } = placesOf(this.header);
      if (stats.size !== end) throw damaged("is incomplete");
      const index = new Uint8Array(rowsAt - HEADER_BYTES);
      this.#read(index, 0, index.length, HEADER_BYTES);
      this.pieces = new Pieces(this.header, index.buffer);
      this.rows = new Rows(this.header, rowBytes, (bytes, at, length) =>
        this.#read(bytes, at, length, rowsAt + at),
      );
    } catch (error) {
      this.close();
      throw error;
    }
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  /** Reads `length` bytes from offset `from` of the file into `bytes` at `at`. */
  #read(bytes: Uint8Array, at: number, length: number, from: number): void {
    if (this.#file === undefined) throw new Error("the table of meaning is closed");
    let read = 0;
    try {
      read = readSync(this.#file, bytes, at, length, from);
    } catch (error) {
      throw damaged("cannot be read", error);
    }
    if (read !== length) throw damaged("is incomplete");
  }
}

function opened(path: string): OpenFile {
  try {
    return openFile(path);
  } catch (error) {
    throw isRefused(error) ? damaged("is not a regular file", error) : missing(path, error);
  }
}

/** Reads a range of the file's rows into the same range of `bytes`. */
type ReadRows = (bytes: Uint8Array, at: number, length: number) => void;

/** This many rows are read one by one. A process that needs more is indexing, and reads all of them at once. */
const ONE_BY_ONE = 512;

/**
 * Two sums in one number: 128 additions for 256 columns instead of 256, without unpacking a row first. All values are
 * whole numbers, so the order of the pieces does not change the result. A 4-bit value is at most 7, so each sum is
 * below half of PAIR, and both together are below 2^53.
 */
const PAIR = 2 ** 26;
if (7 * MOST_WEIGHT * MOST_PIECES >= PAIR / 2) throw new Error("a sum may not fit");
const PAIRS = Float64Array.from({ length: 256 }, (_, byte) => (byte & 15) - 8 + PAIR * ((byte >> 4) - 8));

/** The pieces' vectors, read when needed. Numbers start at 1. */
class Rows {
  readonly #header: Header;
  readonly #read: ReadRows;
  readonly #rowBytes: number;
  /** Space for all rows, laid out as in the file. The system allocates memory only for what was read. */
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #words: Uint32Array;
  readonly #isChecked: Uint8Array;
  readonly #sums: Float64Array;
  #checked = 0;

  constructor(header: Header, rowBytes: number, read: ReadRows) {
    this.#header = header;
    this.#read = read;
    this.#rowBytes = rowBytes;
    this.#bytes = new Uint8Array(header.rows * rowBytes);
    this.#words = new Uint32Array(this.#bytes.buffer);
    this.#isChecked = new Uint8Array(header.rows + 1);
    this.#sums = new Float64Array(header.bits === 4 ? header.dimensions / 2 : header.dimensions);
  }

  /** Reads and checks a row. Row 0 stands for no row. */
  load(row: number): void {
    if (row === 0 || this.#isChecked[row] === 1) return;
    if (row > this.#header.rows) throw damaged("has a piece without its row");
    const at = (row - 1) * this.#rowBytes;
    if (++this.#checked < ONE_BY_ONE) this.#read(this.#bytes, at, this.#rowBytes);
    else if (this.#checked === ONE_BY_ONE) this.#read(this.#bytes, 0, this.#bytes.length);
    this.#check(row);
  }

  /** Reads and checks all rows. */
  loadAll(): void {
    this.#read(this.#bytes, 0, this.#bytes.length);
    this.#checked = ONE_BY_ONE;
    for (let row = 1; row <= this.#header.rows; row++) this.#check(row);
  }

  #check(row: number): void {
    const from = ((row - 1) * this.#rowBytes) / 4;
    const last = from + this.#rowBytes / 4 - 1;
    if (checksum(this.#words, from, last, rowSeed(this.#header.id, row)) !== this.#words[last])
      throw damaged("has a damaged row");
    this.#isChecked[row] = 1;
  }

  /** Adds a loaded row to the sum, `times` times. */
  add(row: number, times: number): void {
    if (row === 0) return;
    const [bytes, sums] = [this.#bytes, this.#sums];
    const end = row * this.#rowBytes;
    const from = end - this.#rowBytes;
    const weight = (this.#words[end / 4 - 2] ?? 0) * times;
    // Four at a time: these loops are most of the cost of embedding.
    if (this.#header.bits === 4)
      for (let i = 0; i < sums.length; i += 4) {
        sums[i] = (sums[i] ?? 0) + (PAIRS[bytes[from + i] ?? 0] ?? 0) * weight;
        sums[i + 1] = (sums[i + 1] ?? 0) + (PAIRS[bytes[from + i + 1] ?? 0] ?? 0) * weight;
        sums[i + 2] = (sums[i + 2] ?? 0) + (PAIRS[bytes[from + i + 2] ?? 0] ?? 0) * weight;
        sums[i + 3] = (sums[i + 3] ?? 0) + (PAIRS[bytes[from + i + 3] ?? 0] ?? 0) * weight;
      }
    else
      for (let i = 0; i < sums.length; i++)
        sums[i] = (sums[i] ?? 0) + (((bytes[from + i] ?? 0) << 24) >> 24) * weight;
  }

  /** The sum, normalised to length 1; undefined if nothing was added. Resets the sum. */
  direction(): Float32Array | undefined {
    const sums = this.#sums;
    const vector = new Float32Array(this.#header.dimensions);
    let squares = 0;
    for (let i = 0; i < sums.length; i++) {
      const sum = sums[i] ?? 0;
      if (this.#header.bits === 8) {
        vector[i] = sum;
        squares += sum * sum;
      } else {
        const odd = Math.round(sum / PAIR);
        const even = sum - odd * PAIR;
        vector[2 * i] = even;
        vector[2 * i + 1] = odd;
        squares += even * even + odd * odd;
      }
    }
    sums.fill(0);
    if (squares === 0) return undefined;
    const length = Math.sqrt(squares);
    for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] ?? 0) / length;
    return vector;
  }
}

/**
 * Where the table is, relative to this bundle. The package contains the table once, although it contains the bundles
 * twice: Claude Code copies the plugin's folder elsewhere, so the table is in that folder, and the other bundles read
 * it from there.
 */
const PLACES = [
  "meaning.bin", // the bundles of the Claude Code plugin
  "claude-code-plugin/dist/meaning.bin", // dist
  "../claude-code-plugin/dist/meaning.bin", // dist/chunks
  "../../../assets/meaning/table.bin", // the sources
];

export function locateMeaning(from = import.meta.dirname): string {
  const path = PLACES.map((place) => join(from, place)).find((one) => existsSync(one));
  if (path === undefined) throw missing(join(from, "meaning.bin"));
  return path;
}

function missing(path: string, cause?: unknown): ContinuoError {
  return new ContinuoError("meaning-missing", `the table of meaning is missing: ${path}`, {
    hint: "install Continuo again; until then, search uses words only",
    cause,
  });
}
