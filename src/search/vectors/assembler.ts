/**
 * The parts of a WebAssembly module with one function, assembled from instructions, so that the code of the kernels can be
 * reviewed. Opcodes are from the WebAssembly specification.
 */
const I32 = 0x7f;
const V128 = 0x7b;
const END = 0x0b;

/** A module that imports `env.memory` and exports one function of i32 parameters without a result. */
export function moduleOf(
  exported: string,
  parameters: number,
  locals: { readonly i32: number; readonly v128: number },
  body: readonly number[],
): Uint8Array {
  const declared = vector([
    [locals.i32, I32],
    [locals.v128, V128],
  ]);
  return new Uint8Array([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00], // "\0asm", version 1
    ...section(1, vector([[0x60, ...vector(new Array<number[]>(parameters).fill([I32])), 0x00]])),
    ...section(2, vector([[...name("env"), ...name("memory"), 0x02, 0x00, 0x01]])), // a memory of at least one page
    ...section(3, vector([[0x00]])), // one function, of that type
    ...section(7, vector([[...name(exported), 0x00, 0x00]])),
    ...section(10, vector([sized([...declared, ...body, END])])),
  ]);
}

/** For each row runs `before` and stores `result`. `rows` and `out` are the locals with the count and the address. */
export const eachRow = (
  rows: number,
  out: number,
  before: readonly number[],
  result: readonly number[],
): number[] =>
  block(
    loop([
      ...get(rows),
      ...isZero(),
      ...breakIf(1), // no rows left
      ...before,
      ...get(out),
      ...result,
      ...store(),
      ...get(out),
      ...constant(4),
      ...add(),
      ...set(out),
      ...get(rows),
      ...constant(1),
      ...subtract(),
      ...set(rows),
      ...jump(0), // next row
    ]),
  );

export const get = (local: number): number[] => [0x20, local];
export const set = (local: number): number[] => [0x21, local];
export const tee = (local: number): number[] => [0x22, local];
export const constant = (value: number): number[] => [0x41, ...signedLeb(value)];
export const isZero = (): number[] => [0x45];
export const isLess = (): number[] => [0x49];
export const add = (): number[] => [0x6a];
export const subtract = (): number[] => [0x6b];
export const store = (): number[] => [0x36, 2, 0];
export const block = (body: readonly number[]): number[] => [0x02, 0x40, ...body, END];
export const loop = (body: readonly number[]): number[] => [0x03, 0x40, ...body, END];
export const jump = (depth: number): number[] => [0x0c, depth];
export const breakIf = (depth: number): number[] => [0x0d, depth];

const simd = (code: number, ...rest: readonly number[]): number[] => [0xfd, ...leb(code), ...rest];
export const zero = (): number[] => simd(12, ...new Array<number>(16).fill(0));
/** The same 16-bit number in all lanes. */
export const words = (value: number): number[] =>
  simd(12, ...new Array<number[]>(8).fill([value & 255, value >> 8]).flat());
export const loadWords = (offset: number): number[] => simd(0, 1, ...leb(offset));
export const loadBytesAsWords = (offset: number): number[] => simd(1, 0, ...leb(offset));
export const lane = (number: number): number[] => simd(27, number);
export const and = (): number[] => simd(78);
export const shiftWords = (): number[] => simd(141);
export const shiftSigned = (): number[] => simd(172);
export const addLanes = (): number[] => simd(174);
/** Multiplies words, adds the products in pairs, and adds those to the lanes below. */
export const dotAdd = (): number[] => [...simd(186), ...addLanes()];

const section = (id: number, content: readonly number[]): number[] => [id, ...sized(content)];
const sized = (content: readonly number[]): number[] => [...leb(content.length), ...content];
const vector = (items: readonly (readonly number[])[]): number[] => [...leb(items.length), ...items.flat()];
const name = (text: string): number[] => sized(Array.from(text, (character) => character.charCodeAt(0)));

/** LEB128: an unsigned number, seven bits a byte. */
function leb(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...leb(Math.floor(value / 128))];
}

/** The same for a constant, whose last byte has a sign. */
function signedLeb(value: number): number[] {
  return value >= -64 && value < 64 ? [value & 127] : [(value & 127) + 128, ...signedLeb(value >> 7)];
}
