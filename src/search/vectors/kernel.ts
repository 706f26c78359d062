import { KERNEL_BYTES } from "./kernel-bytes.ts";
import { DIMENSIONS, productWith, ROW_BYTES } from "./quantise.ts";
import type { Wasm, WasmMemory } from "./wasm.ts";

/** Memory for packed rows, and the products of a query with consecutive ones. */
export interface Kernel {
  readonly kind: "simd" | "plain";
  /** The bytes of this many rows, those before included. The view is invalid after the next call. */
  rows(count: number): Uint8Array;
  /** The products of a query with at most `MOST_ROWS` rows. Valid until the next call. */
  products(query: Int16Array, first: number, count: number): Int32Array;
}

export const MOST_ROWS = 256;

/** With SIMD if WebAssembly supports it, which all known runtimes do; else the same in JavaScript. */
export function createKernel(): Kernel {
  return simdKernel() ?? plainKernel();
}

type Products = (query: number, row: number, out: number, rows: number) => void;

const PAGE = 65_536;
// Memory layout: the query, the results, the rows.
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
  return {
    kind: "simd",
    rows(count) {
      const missing = FIRST + count * ROW_BYTES - memory.buffer.byteLength;
      if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
      return new Uint8Array(memory.buffer, FIRST, count * ROW_BYTES);
    },
    products(query, first, count) {
      new Int16Array(memory.buffer, 0, DIMENSIONS).set(query);
      products(0, FIRST + first * ROW_BYTES, OUT, count);
      return new Int32Array(memory.buffer, OUT, count);
    },
  };
}

export function plainKernel(): Kernel {
  let data = new Uint8Array(0);
  const results = new Int32Array(MOST_ROWS);
  return {
    kind: "plain",
    rows(count) {
      if (data.length < count * ROW_BYTES) {
        const larger = new Uint8Array(count * ROW_BYTES);
        larger.set(data);
        data = larger;
      }
      return data.subarray(0, count * ROW_BYTES);
    },
    products(query, first, count) {
      for (let row = 0; row < count; row++)
        results[row] = productWith(query, data, (first + row) * ROW_BYTES);
      return results.subarray(0, count);
    },
  };
}
