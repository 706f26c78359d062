import {
  add,
  addLanes,
  breakIf,
  constant,
  dotAdd,
  eachRow,
  get,
  isLess,
  lane,
  loadBytesAsWords,
  loadWords,
  loop,
  moduleOf,
  set,
  tee,
  zero,
} from "../../../search/vectors/assembler.ts";

/**
 * The WebAssembly module that compares a query with many vectors. It is assembled here from its instructions, so that the
 * code can be reviewed. Its only function, with all addresses in bytes:
 *
 *   dots(query, row, out, rows, dimensions):
 *     for each of `rows`: out[i] = sum over k of query[k] * row[k]
 *
 * The query has 16-bit values, a row 8-bit, a result 32-bit; `dimensions` is a multiple of 16. Eight products at a time
 * are added in pairs, which cannot overflow: 127 * 127 * 2 needs far less than 32 bits, and so does the whole sum.
 */
export function kernelModule(): Uint8Array {
  return moduleOf("dots", 5, { i32: 2, v128: 2 }, body());
}

// Parameters and locals, by number.
const [QUERY, ROW, OUT, ROWS, DIMENSIONS, AT, ROW_END, SUM, MORE] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
/** A function, because most processes compare no vectors. */
const body = (): number[] =>
  eachRow(
    ROWS,
    OUT,
    [
      ...get(QUERY),
      ...set(AT),
      ...get(ROW),
      ...get(DIMENSIONS),
      ...add(),
      ...set(ROW_END),
      ...zero(),
      ...set(SUM),
      ...zero(),
      ...set(MORE),
      ...loop([
        // Two independent sums, so that neither waits for the other.
        ...get(SUM),
        ...get(ROW),
        ...loadBytesAsWords(0),
        ...get(AT),
        ...loadWords(0),
        ...dotAdd(),
        ...set(SUM),
        ...get(MORE),
        ...get(ROW),
        ...loadBytesAsWords(8),
        ...get(AT),
        ...loadWords(16),
        ...dotAdd(),
        ...set(MORE),
        ...get(AT),
        ...constant(32),
        ...add(),
        ...set(AT),
        ...get(ROW),
        ...constant(16),
        ...add(),
        ...tee(ROW),
        ...get(ROW_END),
        ...isLess(),
        ...breakIf(0), // next 16 values
      ]),
      ...get(SUM),
      ...get(MORE),
      ...addLanes(),
      ...set(SUM),
    ],
    [...sumLane(0), ...sumLane(1), ...add(), ...sumLane(2), ...add(), ...sumLane(3), ...add()],
  );

function sumLane(number: number): number[] {
  return [...get(SUM), ...lane(number)];
}
