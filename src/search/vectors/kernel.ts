import { KERNEL_BYTES } from "./kernel-bytes.ts";
import { DIMENSIONS, productWith, ROW_BYTES } from "./quantise.ts";

/** Computes the dot products of a query with packed rows. */
export interface Kernel {
  readonly kind: "simd" | "plain";
  /** For the first `count` rows, at most `MOST_ROWS`. Valid until the next call. */
  products(query: Int16Array, rows: Uint8Array, count: number): Int32Array;
}

export const MOST_ROWS = 256;

/** Uses SIMD if WebAssembly supports it, as in all known runtimes; otherwise JavaScript. */
export function createKernel(): Kernel {
  return simdKernel() ?? plainKernel();
}

/** The part of WebAssembly that is used; Node's types do not have it. */
interface Wasm {
  readonly Memory: new (limits: { initial: number }) => WasmMemory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: object };
}

interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** The functions of kernel.wat, which documents them. */
interface Functions {
  products(query: number, row: number, out: number, rows: number): void;
  dots(query: number, row: number, out: number, rows: number, dimensions: number): void;
}

export const PAGE = 65_536;

/** Instantiates kernel.wat with its own memory. undefined without SIMD, or if WebAssembly is not allowed. */
export function loadKernel(bytes: number): (Functions & { readonly memory: WasmMemory }) | undefined {
  const wasm = (globalThis as { readonly WebAssembly?: Wasm }).WebAssembly;
  if (wasm === undefined) return undefined;
  try {
    const memory = new wasm.Memory({ initial: Math.ceil(bytes / PAGE) });
    const module = new wasm.Module(Buffer.from(KERNEL_BYTES, "base64"));
    const { exports } = new wasm.Instance(module, { env: { memory } });
    return { ...(exports as Functions), memory };
  } catch {
    return undefined; // no SIMD, or WebAssembly is not allowed
  }
}

// Memory layout: the query, the results, the rows. All of it fits into the first page.
const OUT = DIMENSIONS * 2;
const FIRST = OUT + MOST_ROWS * 4;

export function simdKernel(): Kernel | undefined {
  const loaded = loadKernel(PAGE);
  if (loaded === undefined) return undefined;
  const { memory, products } = loaded;
  const values = new Int16Array(memory.buffer, 0, DIMENSIONS);
  const packed = new Uint8Array(memory.buffer, FIRST, MOST_ROWS * ROW_BYTES);
  return {
    kind: "simd",
    products(query, rows, count) {
      values.set(query);
      packed.set(rows.subarray(0, count * ROW_BYTES));
      products(0, FIRST, OUT, count);
      return new Int32Array(memory.buffer, OUT, count);
    },
  };
}

export function plainKernel(): Kernel {
  const results = new Int32Array(MOST_ROWS);
  return {
    kind: "plain",
    products(query, rows, count) {
      for (let row = 0; row < count; row++) results[row] = productWith(query, rows, row * ROW_BYTES);
      return results.subarray(0, count);
    },
  };
}
