import { KERNEL_BYTES } from "./kernel-bytes.ts";
import { DIMENSIONS, productWith, ROW_BYTES } from "./quantise.ts";
import type { Wasm, WasmMemory } from "./wasm.ts";

/** The products of a query with packed rows. */
export interface Kernel {
  readonly kind: "simd" | "plain";
  /** Of the first `count` rows, at most `MOST_ROWS`. Valid until the next call. */
  products(query: Int16Array, rows: Uint8Array, count: number): Int32Array;
}

export const MOST_ROWS = 256;

/** With SIMD if WebAssembly supports it, which all known runtimes do; else the same in JavaScript. */
export function createKernel(): Kernel {
  return simdKernel() ?? plainKernel();
}

type Products = (query: number, row: number, out: number, rows: number) => void;

// Memory layout: the query, the results, the rows. All of it fits into the first page.
const OUT = DIMENSIONS * 2;
const FIRST = OUT + MOST_ROWS * 4;

export function simdKernel(): Kernel | undefined {
  const wasm = (globalThis as { readonly WebAssembly?: Wasm }).WebAssembly;
  if (wasm === undefined) return undefined;
  let products: Products;
  let memory: WasmMemory;
  try {
    memory = new wasm.Memory({ initial: 1 });
    const module = new wasm.Module(Buffer.from(KERNEL_BYTES, "base64"));
    const { exports } = new wasm.Instance(module, { env: { memory } });
    products = exports["products"] as Products;
  } catch {
    return undefined; // no SIMD, or WebAssembly is not allowed
  }
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
