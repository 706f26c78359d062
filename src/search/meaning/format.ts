import { ContinuoError } from "../../base/errors.ts";

/**
 * The file of the table of meaning, little-endian. `scripts/meaning/pack.ts` writes it.
 *
 *     header     64 bytes, see below; the same in every format, so that an unknown format is told from damage
 *     directory  u32 x (buckets + 1): where each bucket of pieces begins, and where the last one ends
 *     buckets    the pieces, by the hash of their bytes. A piece: u8 length (+ 128 if it continues a word), u16 number of
 *                its row (0: no row), its bytes in UTF-8. After the last one zeros up to a multiple of four; u32 checksum
 *     rows       one for each piece that has a vector, all of the same length: the values (8 bits each; or 4 bits, from -7
 *                to 7, plus 8, the even column in the low half of a byte), u32 weight, u32 checksum. A vector is its values
 *                times its weight; only the direction of a sum of them is ever used, so there is no unit
 *
 *     header     0 magic · 8 u32 format · 12 u32 id of the contents · 16 version, 16 bytes of ASCII · 32 u32 dimensions
 *                36 u32 bits of a value · 40 u32 rows · 44 u32 buckets, a power of two · 48 u32 bytes of the longest piece
 *                52 u32 bytes of all buckets · 56 u32 zero · 60 u32 checksum
 *
 * Checksums cover the id and the number of the bucket or row, so that neither another place of the file nor a file of
 * another version is taken for the right one. They are checked when a bucket or row is first used: reading all of the
 * file would take longer than a hook's whole search.
 */
const FORMAT = 1;
export const HEADER_BYTES = 64;
const MAGIC = "CONTMEAN";
const VERSION_BYTES = 16;
/** Of a row. Limited so that the sum of as many rows as a text has pieces does not overflow: see table.ts. */
export const MOST_WEIGHT = 16383;

export interface Header {
  readonly id: number;
  readonly version: string;
  readonly dimensions: number;
  readonly bits: number;
  readonly rows: number;
  readonly buckets: number;
  readonly longestPiece: number;
  readonly bucketBytes: number;
}

export function readHeader(bytes: Uint8Array): Header {
  const ascii = (from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));
  if (bytes.length < HEADER_BYTES || ascii(0, 8) !== MAGIC) throw damaged("is a file of another kind");
  const words = new Uint32Array(bytes.slice(0, HEADER_BYTES).buffer);
  const word = (at: number) => words[at / 4] ?? 0;
  if (checksum(words, 0, 15, FORMAT) !== word(60)) throw damaged("has a damaged header");
  if (word(8) !== FORMAT) throw unknownFormat(word(8));
  return {
    id: word(12),
    version: ascii(16, 16 + VERSION_BYTES).replace(/\0+$/, ""),
    dimensions: word(32),
    bits: word(36),
    rows: word(40),
    buckets: word(44),
    longestPiece: word(48),
    bucketBytes: word(52),
  };
}

export function writeHeader(header: Header): Uint8Array {
  const words = new Uint32Array(HEADER_BYTES / 4);
  const bytes = new Uint8Array(words.buffer);
  bytes.set(new TextEncoder().encode(MAGIC));
  bytes.set(new TextEncoder().encode(header.version).subarray(0, VERSION_BYTES), 16);
  words.set([FORMAT, header.id], 2);
  words.set([header.dimensions, header.bits, header.rows, header.buckets], 8);
  words.set([header.longestPiece, header.bucketBytes], 12);
  words[15] = checksum(words, 0, 15, FORMAT);
  return bytes;
}

/** The offsets of the file's parts, and its length. */
export function placesOf({ dimensions, bits, rows, buckets, bucketBytes }: Header) {
  const rowBytes = (dimensions * bits) / 8 + 8;
  const bucketsAt = HEADER_BYTES + 4 * (buckets + 1);
  const rowsAt = bucketsAt + bucketBytes;
  return { rowBytes, bucketsAt, rowsAt, end: rowsAt + rows * rowBytes };
}

/** Each step is a bijection: one damaged word is always detected, several with a probability of 1 - 2^-32. */
export function checksum(words: Uint32Array, from: number, to: number, seed: number): number {
  let sum = seed;
  for (let at = from; at < to; at++) {
    sum = Math.imul(sum ^ (words[at] ?? 0), 0x9e3779b1);
    sum ^= sum >>> 15;
  }
  return sum >>> 0;
}

export const bucketSeed = (id: number, bucket: number): number => id ^ Math.imul(bucket + 1, 0x85ebca6b);
export const rowSeed = (id: number, row: number): number => id ^ Math.imul(row, 0xc2b2ae35);

/** FNV-1a, so that the hash of a piece continues that of every shorter one. */
export const hashStart = (continues: boolean): number => (continues ? 0x2f0b4a27 : 0x811c9dc5) | 0;
export const hashStep = (hash: number, byte: number): number => Math.imul(hash ^ byte, 16777619);
export const bucketOf = (hash: number, buckets: number): number => (hash ^ (hash >>> 15)) & (buckets - 1);

export function damaged(what: string, cause?: unknown): ContinuoError {
  return new ContinuoError("meaning-damaged", `the table of meaning ${what}`, {
    hint: "install Continuo again; until then, search uses words only",
    cause,
  });
}

function unknownFormat(format: number): ContinuoError {
  return new ContinuoError(
    "meaning-version",
    `the table of meaning has format ${format}; this version of Continuo reads format ${FORMAT}`,
    { hint: "install Continuo again, so that all its files are of one version" },
  );
}
