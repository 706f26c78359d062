/**
 * Passage vectors are stored with 4 bits per value: a quarter of the size of int8, with no measurable loss in ranking
 * (docs/design/benchmarks.md). A query's vector is not stored and keeps 12 bits.
 */
export const DIMENSIONS = 256;
export const ROW_BYTES = DIMENSIONS / 2;

/** Values are stored with this offset, as 1 to 15, because unsigned ones are unpacked with fewer instructions. */
const OFFSET = 8;
const MOST = 7;
/** In root mean squares: larger values are clipped, so that the usual ones get finer steps. */
const CLIP = 2.7;
const QUERY_MOST = 2047;
/** The alignment is below 50 for every unit vector. */
const ALIGNMENT_UNIT = 1024;

/** How many dimensions share four bytes at a time, see `pack`. */
const GROUP = 32;
const LANES = 8;

/** Reused by every call: a new array would take as long as filling it. */
const steps = new Int8Array(DIMENSIONS);

/**
 * Writes a unit vector as `ROW_BYTES` bytes. Returns its alignment as a 16-bit number: the dot product of the vector with
 * its own quantised values. A dot product divided by it is a cosine, exactly 1 for the vector itself. 0 for a vector
 * without direction.
 */
export function quantise(vector: Float32Array, into: Uint8Array): number {
  if (vector.length !== DIMENSIONS || into.length !== ROW_BYTES)
    throw new RangeError(`a vector of ${vector.length} dimensions cannot be stored in ${into.length} bytes`);
  let squares = 0;
  for (let d = 0; d < DIMENSIONS; d++) squares += (vector[d] as number) ** 2;
  into.fill((OFFSET << 4) | OFFSET);
  if (!(squares > 0) || !Number.isFinite(squares)) return 0;
  const perStep = MOST / (CLIP * Math.sqrt(squares / DIMENSIONS));
  let alignment = 0;
  for (let d = 0; d < DIMENSIONS; d++) {
    const value = vector[d] as number;
    const step = Math.max(-MOST, Math.min(MOST, Math.round(value * perStep)));
    steps[d] = step;
    alignment += step * value;
  }
  pack(steps, into);
  return Math.round((alignment / Math.sqrt(squares)) * ALIGNMENT_UNIT);
}

/**
 * A vector with a single non-zero value has an alignment of 7. A lower one is damage: its cosines would be far above 1.
 */
const LEAST_ALIGNMENT = 6 * ALIGNMENT_UNIT;

/** The factor for dot products with the row; 0 for a row without a vector. */
export const rowScale = (alignment: number): number =>
  alignment < LEAST_ALIGNMENT ? 0 : ALIGNMENT_UNIT / alignment;

/**
 * Four values share a 16-bit word: those of dimensions `d`, `d + 8`, `d + 16` and `d + 24`, the lowest bits first. Eight
 * words are a SIMD register, and taking the same four bits of each gives eight consecutive dimensions.
 */
function pack(values: Int8Array, into: Uint8Array): void {
  const bits = (d: number): number => (values[d] as number) + OFFSET;
  for (let d = 0, at = 0; d < DIMENSIONS; d += GROUP) {
    for (let lane = d; lane < d + LANES; lane++) {
      into[at++] = bits(lane) | (bits(lane + LANES) << 4);
      into[at++] = bits(lane + 2 * LANES) | (bits(lane + 3 * LANES) << 4);
    }
  }
}

/** A query, to be compared with rows. */
export interface Query {
  /** Integers, in the order of the dimensions. */
  readonly values: Int16Array;
  readonly scale: number;
  /** The excess of a product with stored values, which results from their offset. */
  readonly excess: number;
}

/** undefined for a zero vector. */
export function queryOf(vector: Float32Array): Query | undefined {
  if (vector.length !== DIMENSIONS) return undefined;
  let largest = 0;
  let squares = 0;
  for (const value of vector) {
    largest = Math.max(largest, Math.abs(value));
    squares += value * value;
  }
  if (!(squares > 0) || !Number.isFinite(squares)) return undefined;
  const values = Int16Array.from(vector, (value) => Math.round((value / largest) * QUERY_MOST));
  const sum = values.reduce((all, value) => all + value, 0);
  return { values, scale: largest / QUERY_MOST / Math.sqrt(squares), excess: OFFSET * sum };
}

/** The dot product of the query with the stored values of one row, including the excess. */
export function productWith(query: Int16Array, rows: Uint8Array, from: number): number {
  let sum = 0;
  for (let d = 0, at = from; d < DIMENSIONS; d += GROUP) {
    for (let lane = d; lane < d + LANES; lane++, at += 2) {
      const low = rows[at] as number;
      const high = rows[at + 1] as number;
      sum +=
        (query[lane] as number) * (low & 15) +
        (query[lane + LANES] as number) * (low >> 4) +
        (query[lane + 2 * LANES] as number) * (high & 15) +
        (query[lane + 3 * LANES] as number) * (high >> 4);
    }
  }
  return sum;
}
