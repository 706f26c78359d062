import { closeSync, readSync } from "node:fs";
import { isRefused, type OpenFile, openFile } from "../../store/read-file.ts";
import { damaged, HEADER_BYTES, type Header, placesOf, readHeader } from "./format.ts";
import { missing } from "./locate.ts";
import { Pieces } from "./pieces.ts";
import { Rows } from "./rows.ts";

/** The open file. Its pieces are in memory; rows are read when they are needed. */
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

function opened(path: string): OpenFile {
  try {
    return openFile(path);
  } catch (error) {
    throw isRefused(error) ? damaged("is not a regular file", error) : missing(path, error);
  }
}
