import {
  bucketOf,
  bucketSeed,
  checksum,
  type Header,
  hashStart,
  hashStep,
  MOST_WEIGHT,
  rowSeed,
  writeHeader,
} from "../../src/search/meaning/format.ts";

export interface TableContents {
  readonly version: string;
  readonly dimensions: number;
  readonly bits: 4 | 8;
  /** Each piece as the vocabulary writes it, and its vector; none if it is known but says nothing. */
  readonly pieces: readonly { readonly text: string; readonly vector: Float32Array | undefined }[];
}

/** The bytes of the file that src/search/meaning/format.ts describes. */
export function writeTable({ version, dimensions, bits, pieces }: TableContents): Uint8Array {
  if (dimensions % 8 !== 0) throw new Error("the number of dimensions must be a multiple of eight");
  if (Buffer.byteLength(version) > 16) throw new Error("the version has more than 16 bytes");
  let last = 0;
  const entries = pieces.map(({ text, vector }) => ({
    ...entryOf(text),
    row: vector === undefined ? 0 : ++last,
  }));
  if (last > 65535) throw new Error(`${last} rows: the format has room for 65535`);
  const vectors = pieces.flatMap(({ vector }) => vector ?? []);
  const buckets = 2 ** Math.max(0, Math.round(Math.log2(entries.length / 3)));
  const bodies = bodiesOf(entries, buckets);
  const used = vectors.map((vector) => vector.subarray(0, dimensions));
  const unit = used.reduce((max, vector) => Math.max(max, largest(vector)), 0) / mostOf(bits) / MOST_WEIGHT;
  const rows = used.map((vector) => rowOf(vector, bits, unit));
  const id = idOf(version, [...bodies, ...rows]);
  bodies.forEach((words, bucket) => {
    words[words.length - 1] = checksum(words, 0, words.length - 1, bucketSeed(id, bucket));
  });
  rows.forEach((words, i) => {
    words[words.length - 1] = checksum(words, 0, words.length - 1, rowSeed(id, i + 1));
  });
  const header: Header = {
    id,
    version,
    dimensions,
    bits,
    rows: last,
    buckets,
    longestPiece: Math.max(...entries.map(({ bytes }) => bytes.length)),
    bucketBytes: bodies.reduce((sum, words) => sum + words.byteLength, 0),
  };
  const directory = new Uint32Array(buckets + 1);
  bodies.forEach((words, bucket) => {
    directory[bucket + 1] = (directory[bucket] ?? 0) + words.byteLength;
  });
  const parts = [directory, ...bodies, ...rows].map((words) => new Uint8Array(words.buffer));
  return new Uint8Array(Buffer.concat([writeHeader(header), ...parts]));
}

interface Entry {
  readonly bytes: Uint8Array;
  readonly continues: boolean;
}

function entryOf(text: string): Entry {
  const continues = text.startsWith("##") && text.length > 2;
  const bytes = new TextEncoder().encode(continues ? text.slice(2) : text);
  if (bytes.length === 0 || bytes.length > 127) throw new Error(`a piece of ${bytes.length} bytes: ${text}`);
  return { bytes, continues };
}

function bodiesOf(
  entries: readonly (Entry & { row: number })[],
  buckets: number,
): Uint32Array<ArrayBuffer>[] {
  const lists = Array.from({ length: buckets }, () => [] as number[]);
  for (const { bytes, continues, row } of entries) {
    let hash = hashStart(continues);
    for (const byte of bytes) hash = hashStep(hash, byte);
    lists[bucketOf(hash, buckets)]?.push(bytes.length | (continues ? 128 : 0), row & 255, row >> 8, ...bytes);
  }
  return lists.map((list) => {
    const words = new Uint32Array(Math.ceil(list.length / 4) + 1);
    new Uint8Array(words.buffer).set(list);
    return words;
  });
}

/** Values, weight, and room for the checksum. */
function rowOf(vector: Float32Array, bits: 4 | 8, unit: number): Uint32Array<ArrayBuffer> {
  const most = mostOf(bits);
  // A smaller weight, which cuts the largest values, has the smaller error by 4%, but the file then packs worse by 8%.
  const weight = Math.max(1, Math.round(largest(vector) / most / unit));
  const step = weight * unit;
  const values = Array.from(vector, (value) => Math.max(-most, Math.min(most, Math.round(value / step))));
  const words = new Uint32Array((vector.length * bits) / 32 + 2);
  const bytes = new Uint8Array(words.buffer);
  if (bits === 8) new Int8Array(words.buffer).set(values);
  else
    for (let i = 0; i < values.length; i += 2)
      bytes[i / 2] = (values[i] ?? 0) + 8 + 16 * ((values[i + 1] ?? 0) + 8);
  words[words.length - 2] = weight;
  return words;
}

const mostOf = (bits: 4 | 8): number => (bits === 8 ? 127 : 7);
const largest = (vector: Float32Array): number =>
  vector.reduce((max, value) => Math.max(max, Math.abs(value)), 0);

function idOf(version: string, parts: readonly Uint32Array[]): number {
  let id = checksum(Uint32Array.from(Buffer.from(version)), 0, version.length, 1);
  for (const words of parts) id = checksum(words, 0, words.length, id);
  return id;
}
