import { readFileSync } from "node:fs";
import { checksum, HEADER_BYTES, placesOf, readHeader } from "../../../src/search/meaning/format.ts";
import { locateMeaning } from "../../../src/search/meaning/table.ts";

/** The package's table, damaged in various ways: what is wrong with it, its bytes (none: missing), the code of the failure. */
export const BROKEN: readonly (readonly [what: string, bytes: () => Uint8Array | undefined, code: string])[] =
  [
    ["missing", () => undefined, "meaning-missing"],
    ["empty", () => new Uint8Array(), "meaning-damaged"],
    ["truncated", () => table().subarray(0, 1_000_000), "meaning-damaged"],
    ["of another format", otherFormat, "meaning-version"],
    ["of another size", () => Buffer.concat([table(), Buffer.alloc(8)]), "meaning-damaged"],
    ["another file", () => Buffer.from("# A note\n".repeat(1000)), "meaning-damaged"],
    ["with a flipped bit in its header", () => flipped([20]), "meaning-damaged"],
    ["with a flipped bit in its pieces", flippedPieces, "meaning-damaged"],
    ["with a flipped bit in its rows", flippedRows, "meaning-damaged"],
  ];

const table = (): Buffer => readFileSync(locateMeaning());

function flipped(places: Iterable<number>, bytes = table()): Buffer {
  for (const at of places) bytes[at] = (bytes[at] ?? 0) ^ 0x10;
  return bytes;
}

/** In every bucket and row, so that any text finds one that is damaged. */
function flippedPieces(): Buffer {
  const bytes = table();
  const header = readHeader(bytes);
  const { bucketsAt } = placesOf(header);
  const starts = Array.from({ length: header.buckets }, (_, at) => bytes.readUInt32LE(HEADER_BYTES + 4 * at));
  return flipped(
    starts.map((start) => bucketsAt + start),
    bytes,
  );
}

function flippedRows(): Buffer {
  const bytes = table();
  const header = readHeader(bytes);
  const { rowsAt, rowBytes } = placesOf(header);
  return flipped(
    Array.from({ length: header.rows }, (_, row) => rowsAt + row * rowBytes + (row % rowBytes)),
    bytes,
  );
}

function otherFormat(): Uint8Array {
  const words = new Uint32Array(new Uint8Array(table()).buffer);
  words[2] = 7;
  words[15] = checksum(words, 0, 15, 1);
  return new Uint8Array(words.buffer);
}
