import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { damaged, HEADER_BYTES, type Header, placesOf, readHeader } from "./format.ts";
import { missing } from "./locate.ts";
import { Pieces } from "./pieces.ts";
import { Rows } from "./rows.ts";

/** A named pipe in its place would be waited for without end. (Windows has no such flag, and no such pipes.) */
const OPEN = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** The open file. Its pieces are in memory; rows are read when they are needed. */
export class Table {
  readonly header: Header;
  readonly pieces: Pieces;
  readonly rows: Rows;
  #file: number | undefined;

  constructor(path: string) {
    try {
      this.#file = openSync(path, OPEN);
    } catch (error) {
      throw missing(path, error);
    }
    try {
      if (!fstatSync(this.#file).isFile()) throw damaged("is no file");
      const header = new Uint8Array(HEADER_BYTES);
      this.#read(header, 0, HEADER_BYTES, 0);
      this.header = readHeader(header);
      const { rowBytes, rowsAt, end } = placesOf(this.header);
      if (fstatSync(this.#file).size !== end) throw damaged("is incomplete");
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

  /** Reads `length` bytes at `from` in the file to `at`. */
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
