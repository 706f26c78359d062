import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import {
  bucketOf,
  bucketSeed,
  checksum,
  damaged,
  HEADER_BYTES,
  type Header,
  hashStart,
  hashStep,
  placesOf,
  readHeader,
  rowSeed,
} from "./format.ts";
import { missing } from "./locate.ts";

/** As many rows are read one by one; a process that needs more is indexing and reads all of them at once. */
const ROWS_ONE_BY_ONE = 512;

/** The open file. The pieces are in memory as they are on disk; rows are read when they are needed. */
export class Table {
  readonly header: Header;
  /** The values of all rows that were read, row after row; the first row has the number 1. */
  readonly values: Int8Array;
  readonly scales: Float32Array;
  readonly #places: ReturnType<typeof placesOf>;
  readonly #directory: Uint32Array;
  readonly #buckets: Uint8Array;
  readonly #bucketWords: Uint32Array;
  readonly #isChecked: Uint8Array;
  readonly #isRead: Uint8Array;
  readonly #hashes: Int32Array;
  readonly #row: Uint8Array;
  #rowsRead = 0;
  #allRows: Uint8Array | undefined;
  #file: number | undefined;

  constructor(path: string) {
    try {
      this.#file = openSync(path, "r");
    } catch (error) {
      throw missing(path, error);
    }
    try {
      this.header = readHeader(this.#read(0, HEADER_BYTES));
      const { dimensions, bits, rows, buckets, longestPiece } = this.header;
      this.#places = placesOf(this.header);
      if (fstatSync(this.#file).size !== this.#places.end) throw damaged("is incomplete");
      const index = this.#read(HEADER_BYTES, this.#places.rowsAt - HEADER_BYTES);
      this.#directory = new Uint32Array(index.buffer, 0, buckets + 1);
      this.#bucketWords = new Uint32Array(index.buffer, 4 * (buckets + 1));
      this.#buckets = new Uint8Array(index.buffer, 4 * (buckets + 1));
      this.#isChecked = new Uint8Array(buckets);
      this.#isRead = new Uint8Array(rows + 1);
      this.#hashes = new Int32Array(longestPiece);
      this.#row = new Uint8Array((dimensions * bits) / 8 + 8);
      // The system gives memory to these only as rows are written into them.
      this.values = new Int8Array((rows + 1) * dimensions);
      this.scales = new Float32Array(rows + 1);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /**
   * The longest piece at the beginning of `word` from `from` on: where it ends, times 65536, plus the number of its row;
   * 0 if there is none.
   */
  match(word: Uint8Array, from: number, to: number): number {
    const most = Math.min(to - from, this.header.longestPiece);
    const flag = from > 0 ? 128 : 0;
    let hash = hashStart(from > 0);
    for (let at = 0; at < most; at++) {
      hash = hashStep(hash, word[from + at] ?? 0);
      this.#hashes[at] = hash;
    }
    for (let length = most; length > 0; length--) {
      const row = this.#find(this.#hashes[length - 1] ?? 0, word, from, length, length | flag);
      if (row >= 0) return (from + length) * 65536 + row;
    }
    return 0;
  }

  #find(hash: number, word: Uint8Array, from: number, length: number, mark: number): number {
    const bucket = bucketOf(hash, this.header.buckets);
    if (this.#isChecked[bucket] !== 1) this.#checkBucket(bucket);
    const bytes = this.#buckets;
    const end = (this.#directory[bucket + 1] ?? 0) - 4;
    for (let at = this.#directory[bucket] ?? 0; at < end && bytes[at] !== 0; ) {
      if (bytes[at] === mark) {
        let same = 0;
        while (same < length && bytes[at + 3 + same] === word[from + same]) same++;
        if (same === length) return (bytes[at + 1] ?? 0) + 256 * (bytes[at + 2] ?? 0);
      }
      at += 3 + ((bytes[at] ?? 0) & 127);
    }
    return -1;
  }

  #checkBucket(bucket: number): void {
    const from = (this.#directory[bucket] ?? 0) / 4;
    const to = (this.#directory[bucket + 1] ?? 0) / 4 - 1;
    const words = this.#bucketWords;
    const isInside = Number.isInteger(from) && Number.isInteger(to) && from <= to && to < words.length;
    if (!isInside || checksum(words, from, to, bucketSeed(this.header.id, bucket)) !== words[to])
      throw damaged("has damaged pieces");
    this.#isChecked[bucket] = 1;
  }

  /** Makes sure that a row's values are in `values`. Row 0 stands for no row: nothing is read. */
  load(row: number): void {
    if (row === 0 || this.#isRead[row] === 1) return;
    const { rowBytes, rowsAt } = this.#places;
    if (++this.#rowsRead === ROWS_ONE_BY_ONE) this.#allRows = this.#read(rowsAt, this.header.rows * rowBytes);
    if (row > this.header.rows) throw damaged("has a piece without its row");
    if (this.#allRows !== undefined)
      this.#row.set(this.#allRows.subarray((row - 1) * rowBytes, row * rowBytes));
    else this.#readInto(this.#row, rowsAt + (row - 1) * rowBytes);
    this.#decode(row);
    this.#isRead[row] = 1;
    if (this.#rowsRead === this.header.rows) this.#allRows = undefined;
  }

  #decode(row: number): void {
    const { id, dimensions, bits } = this.header;
    const bytes = this.#row;
    const words = new Uint32Array(bytes.buffer);
    const last = words.length - 1;
    if (checksum(words, 0, last, rowSeed(id, row)) !== words[last]) throw damaged("has a damaged row");
    const at = row * dimensions;
    if (bits === 8) this.values.set(new Int8Array(bytes.buffer, 0, dimensions), at);
    else {
      for (let byte = 0; byte < dimensions / 2; byte++) {
        const both = bytes[byte] ?? 0;
        this.values[at + 2 * byte] = (both & 15) - 8;
        this.values[at + 2 * byte + 1] = (both >> 4) - 8;
      }
    }
    this.scales[row] = new Float32Array(bytes.buffer, 4 * (last - 1), 1)[0] ?? 0;
  }

  /** Reads and checks everything. Calls `visit` with each piece, as the vocabulary writes it, and its row. */
  verify(visit?: (piece: string, row: number) => void): void {
    const decoder = new TextDecoder();
    for (let bucket = 0; bucket < this.header.buckets; bucket++) {
      this.#checkBucket(bucket);
      const end = (this.#directory[bucket + 1] ?? 0) - 4;
      for (let at = this.#directory[bucket] ?? 0; at < end && this.#buckets[at] !== 0; ) {
        const mark = this.#buckets[at] ?? 0;
        const bytes = this.#buckets.subarray(at + 3, at + 3 + (mark & 127));
        const row = (this.#buckets[at + 1] ?? 0) + 256 * (this.#buckets[at + 2] ?? 0);
        visit?.((mark > 127 ? "##" : "") + decoder.decode(bytes), row);
        at += 3 + (mark & 127);
      }
    }
    const { rowBytes, rowsAt } = this.#places;
    const rows = this.#read(rowsAt, this.header.rows * rowBytes);
    for (let row = 1; row <= this.header.rows; row++) {
      this.#row.set(rows.subarray((row - 1) * rowBytes, row * rowBytes));
      this.#decode(row);
    }
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #read(at: number, length: number): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(length);
    this.#readInto(bytes, at);
    return bytes;
  }

  #readInto(bytes: Uint8Array, at: number): void {
    if (this.#file === undefined) throw new Error("the table of meaning is closed");
    let read = 0;
    try {
      read = readSync(this.#file, bytes, 0, bytes.length, at);
    } catch (error) {
      throw damaged("cannot be read", error);
    }
    if (read !== bytes.length) throw damaged("is incomplete");
  }
}
