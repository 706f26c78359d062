import { loadKernel, PAGE } from "../../../search/vectors/kernel.ts";

/** Memory that holds int8 vectors in slots of equal size, and compares a query with all vectors of a slot. */
export interface Kernel {
  readonly kind: "simd" | "plain";
  /** The bytes of a slot, to be written at once: the view is invalid after the next call. */
  slot(number: number): Int8Array;
  /** The dot products of the query with the first `rows` vectors of a slot, valid until the next call. */
  dots(query: Int8Array, slot: number, rows: number): Int32Array;
}

export interface Shape {
  /** Vectors in a slot. */
  readonly rows: number;
  /** A multiple of 16. */
  readonly dimensions: number;
}

/** With SIMD if WebAssembly supports it, which all known runtimes do; else the same in JavaScript. */
export function createKernel(shape: Shape): Kernel {
  return simdKernel(shape) ?? plainKernel(shape);
}

export function simdKernel({ rows, dimensions }: Shape): Kernel | undefined {
  // Memory layout: the query, the results, the slots.
  const out = dimensions * 2;
  const first = out + rows * 4;
  const size = rows * dimensions;
  const loaded = loadKernel(first + size);
  if (loaded === undefined) return undefined;
  const { memory, dots } = loaded;
  return {
    kind: "simd",
    slot(number) {
      const missing = first + (number + 1) * size - memory.buffer.byteLength;
      // At least by a quarter: growing may copy.
      if (missing > 0) memory.grow(Math.ceil(Math.max(missing, memory.buffer.byteLength / 4) / PAGE));
      return new Int8Array(memory.buffer, first + number * size, size);
    },
    dots(query, slot, count) {
      new Int16Array(memory.buffer, 0, dimensions).set(query);
      dots(0, first + slot * size, out, count, dimensions);
      return new Int32Array(memory.buffer, out, count);
    },
  };
}

export function plainKernel({ rows, dimensions }: Shape): Kernel {
  const slots: Int8Array[] = [];
  const results = new Int32Array(rows);
  const slotOf = (number: number): Int8Array => (slots[number] ??= new Int8Array(rows * dimensions));
  return {
    kind: "plain",
    slot: slotOf,
    dots(query, slot, count) {
      const data = slotOf(slot);
      for (let row = 0, at = 0; row < count; row++) {
        let sum = 0;
        for (let k = 0; k < dimensions; k++, at++) sum += (query[k] ?? 0) * (data[at] ?? 0);
        results[row] = sum;
      }
      return results.subarray(0, count);
    },
  };
}
