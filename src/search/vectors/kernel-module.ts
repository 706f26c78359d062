import {
  add,
  addLanes,
  and,
  breakIf,
  constant,
  dotAdd,
  eachRow,
  get,
  isLess,
  lane,
  loadWords,
  loop,
  moduleOf,
  set,
  shiftSigned,
  shiftWords,
  tee,
  words,
  zero,
} from "./assembler.ts";
import { ROW_BYTES } from "./quantise.ts";

/**
 * The WebAssembly module that multiplies a query with many packed rows (see `pack`), as code that can be reviewed.
 * `kernel-bytes.ts` is what it assembles. Its only function, with all addresses in bytes:
 *
 *   products(query, row, out, rows):
 *     for each of `rows`: out[i] = sum over k of query[k] * stored[k]
 *
 * The four bits of three of four dimensions are masked where they are, which multiplies them by 1, 16 and 256; each has its
 * own sum, shifted back at the end. The largest sum is 16 * 2047 * 15 * 256, far below 32 bits.
 */
export function kernelModule(): Uint8Array {
  return moduleOf("products", 4, { i32: 2, v128: 8 }, body());
}

// Parameters and locals, by number.
const [QUERY, ROW, OUT, ROWS, AT, ROW_END, PACKED] = [0, 1, 2, 3, 4, 5, 6] as const;
const MASKS = [7, 8, 9] as const;
const SUMS = [10, 11, 12, 13] as const;
const [FIRST] = SUMS;
/** The bytes of a register, and of the query's values that one register of a row is multiplied with. */
const [REGISTER, OF_QUERY] = [16, 64] as const;

const body = (): number[] => [
  ...MASKS.flatMap((mask, at) => [...words(15 << (4 * at)), ...set(mask)]),
  ...eachRow(
    ROWS,
    OUT,
    [
      ...get(QUERY),
      ...set(AT),
      ...get(ROW),
      ...constant(ROW_BYTES),
      ...add(),
      ...set(ROW_END),
      ...SUMS.flatMap((sum) => [...zero(), ...set(sum)]),
      ...loop([
        ...get(ROW),
        ...loadWords(0),
        ...set(PACKED),
        ...SUMS.flatMap(multiplied),
        ...get(AT),
        ...constant(OF_QUERY),
        ...add(),
        ...set(AT),
        ...get(ROW),
        ...constant(REGISTER),
        ...add(),
        ...tee(ROW),
        ...get(ROW_END),
        ...isLess(),
        ...breakIf(0), // next 32 values
      ]),
    ],
    total(),
  ),
];

/** Eight of the 32 values. The highest bits are shifted down: as a signed word they would be negative where they are. */
function multiplied(sum: number, part: number): number[] {
  const mask = MASKS[part];
  return [
    ...get(sum),
    ...get(PACKED),
    ...(mask === undefined ? [...constant(12), ...shiftWords()] : [...get(mask), ...and()]),
    ...get(AT),
    ...loadWords(part * REGISTER),
    ...dotAdd(),
    ...set(sum),
  ];
}

function total(): number[] {
  return [
    ...SUMS.flatMap((sum, part) => [
      ...get(sum),
      ...(part === 1 || part === 2 ? [...constant(4 * part), ...shiftSigned()] : []),
      ...(part > 0 ? addLanes() : []),
    ]),
    ...set(FIRST),
    ...[0, 1, 2, 3].flatMap((number) => [...get(FIRST), ...lane(number), ...(number > 0 ? add() : [])]),
  ];
}
