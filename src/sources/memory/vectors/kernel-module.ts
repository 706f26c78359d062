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
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00], // "\0asm", version 1
    ...section(1, vector([[0x60, ...vector([[I32], [I32], [I32], [I32], [I32]]), 0x00]])), // (i32 x 5) -> ()
    ...section(2, vector([[...name("env"), ...name("memory"), 0x02, 0x00, 0x01]])), // a memory of at least one page
    ...section(3, vector([[0x00]])), // one function, of that type
    ...section(7, vector([[...name("dots"), 0x00, 0x00]])),
    ...section(10, vector([sized([...LOCALS, ...BODY, END])])),
  ]);
}

const I32 = 0x7f;
const V128 = 0x7b;
const END = 0x0b;

// Parameters and locals, by number.
const [QUERY, ROW, OUT, ROWS, DIMENSIONS, AT, ROW_END, SUM, MORE] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const LOCALS = vector([
  [2, I32],
  [2, V128],
]);

const BODY = [
  ...block([
    ...loop([
      ...get(ROWS),
      ...isZero(),
      ...breakIf(1), // no rows left
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
      ...get(OUT),
      ...lane(0),
      ...lane(1),
      ...add(),
      ...lane(2),
      ...add(),
      ...lane(3),
      ...add(),
      ...store(),
      ...get(OUT),
      ...constant(4),
      ...add(),
      ...set(OUT),
      ...get(ROWS),
      ...constant(1),
      ...subtract(),
      ...set(ROWS),
      ...jump(0), // next row
    ]),
  ]),
];

// Instructions, with their opcodes from the WebAssembly specification.
function get(local: number): number[] {
  return [0x20, local];
}
function set(local: number): number[] {
  return [0x21, local];
}
function tee(local: number): number[] {
  return [0x22, local];
}
function constant(value: number): number[] {
  return [0x41, value];
}
function isZero(): number[] {
  return [0x45];
}
function isLess(): number[] {
  return [0x49];
}
function add(): number[] {
  return [0x6a];
}
function subtract(): number[] {
  return [0x6b];
}
function store(): number[] {
  return [0x36, 2, 0];
}
function block(body: number[]): number[] {
  return [0x02, 0x40, ...body, END];
}
function loop(body: number[]): number[] {
  return [0x03, 0x40, ...body, END];
}
function jump(depth: number): number[] {
  return [0x0c, depth];
}
function breakIf(depth: number): number[] {
  return [0x0d, depth];
}
function simd(code: number, ...rest: number[]): number[] {
  return [0xfd, ...leb(code), ...rest];
}
function zero(): number[] {
  return simd(12, ...new Array<number>(16).fill(0));
}
function loadWords(offset: number): number[] {
  return simd(0, 1, offset);
}
function loadBytesAsWords(offset: number): number[] {
  return simd(1, 0, offset);
}
function lane(number: number): number[] {
  return [...get(SUM), ...simd(27, number)];
}
function addLanes(): number[] {
  return simd(174);
}
function dotAdd(): number[] {
  return [...simd(186), ...addLanes()];
}

function section(id: number, content: number[]): number[] {
  return [id, ...sized(content)];
}

function sized(content: number[]): number[] {
  return [...leb(content.length), ...content];
}

function vector(items: number[][]): number[] {
  return [...leb(items.length), ...items.flat()];
}

function name(text: string): number[] {
  return sized([...Buffer.from(text)]);
}

/** LEB128: an unsigned number, seven bits a byte. */
function leb(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...leb(Math.floor(value / 128))];
}
