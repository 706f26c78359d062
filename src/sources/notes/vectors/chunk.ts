/** Vectors in one blob, because one SQLite row per vector would take ten times as long to read. */
export const CHUNK_ROWS = 1024;

/**
 * The note and passage of each vector in a chunk. Vectors of one note are consecutive, in the order of its passages.
 */
export interface ChunkRows {
  readonly notes: Uint32Array;
  readonly passages: Uint32Array;
  readonly scales: Float32Array;
}

export interface Chunk {
  readonly rows: ChunkRows;
  readonly data: Uint8Array;
}

const ROW_BYTES = 12;

export function readRows(bytes: Uint8Array): ChunkRows {
  const count = bytes.length / ROW_BYTES;
  // Copied, because a blob may be at any address and typed arrays need alignment.
  const buffer = bytes.slice().buffer;
  return {
    notes: new Uint32Array(buffer, 0, count),
    passages: new Uint32Array(buffer, count * 4, count),
    scales: new Float32Array(buffer, count * 8, count),
  };
}

export function writeRows({ notes, passages, scales }: ChunkRows): Uint8Array {
  const bytes = new Uint8Array(notes.length * ROW_BYTES);
  new Uint32Array(bytes.buffer, 0, notes.length).set(notes);
  new Uint32Array(bytes.buffer, notes.length * 4, notes.length).set(passages);
  new Float32Array(bytes.buffer, notes.length * 8, notes.length).set(scales);
  return bytes;
}

/** The chunk without the vectors of these notes. */
export function withoutNotes({ rows, data }: Chunk, removed: ReadonlySet<number>): Chunk {
  const width = rows.notes.length === 0 ? 0 : data.length / rows.notes.length;
  const kept = [...rows.notes.keys()].filter((row) => !removed.has(rows.notes[row] ?? 0));
  const left = new Uint8Array(kept.length * width);
  for (const [to, from] of kept.entries())
    left.set(data.subarray(from * width, (from + 1) * width), to * width);
  return {
    rows: {
      notes: Uint32Array.from(kept, (row) => rows.notes[row] ?? 0),
      passages: Uint32Array.from(kept, (row) => rows.passages[row] ?? 0),
      scales: Float32Array.from(kept, (row) => rows.scales[row] ?? 0),
    },
    data: left,
  };
}

/** The chunk with a note's vectors appended, one for each passage. */
export function withNote({ rows, data }: Chunk, note: number, vectors: readonly Int8Vector[]): Chunk {
  const all = new Uint8Array(data.length + vectors.reduce((sum, { values }) => sum + values.length, 0));
  all.set(data);
  let at = data.length;
  for (const { values } of vectors) {
    all.set(new Uint8Array(values.buffer, values.byteOffset, values.length), at);
    at += values.length;
  }
  return {
    rows: {
      notes: Uint32Array.of(...rows.notes, ...vectors.map(() => note)),
      passages: Uint32Array.of(...rows.passages, ...vectors.keys()),
      scales: Float32Array.of(...rows.scales, ...vectors.map(({ scale }) => scale)),
    },
    data: all,
  };
}

export const EMPTY_CHUNK: Chunk = { rows: readRows(new Uint8Array()), data: new Uint8Array() };

/** A quantised vector, a quarter of the size: integers from -127 to 127, and the scale to multiply them with. */
export interface Int8Vector {
  readonly values: Int8Array;
  readonly scale: number;
}

/** The kernel reads sixteen values at a time, so vectors are padded with zeros, which do not change any product. */
export const paddedDimensions = (dimensions: number): number => Math.ceil(dimensions / 16) * 16;

/** Each vector has its own scale, so that the full range is used. */
export function toInt8(vector: Float32Array): Int8Vector {
  const values = new Int8Array(paddedDimensions(vector.length));
  const largest = vector.reduce((max, one) => Math.max(max, Math.abs(one)), 0);
  if (largest === 0) return { values, scale: 0 };
  for (let i = 0; i < vector.length; i++) values[i] = Math.round(((vector[i] ?? 0) / largest) * 127);
  return { values, scale: largest / 127 };
}
