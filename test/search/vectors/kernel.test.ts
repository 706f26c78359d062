import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createKernel, plainKernel, simdKernel } from "../../../src/search/vectors/kernel.ts";
import { KERNEL_BYTES } from "../../../src/search/vectors/kernel-bytes.ts";
import { kernelModule } from "../../../src/search/vectors/kernel-module.ts";
import { DIMENSIONS, ROW_BYTES } from "../../../src/search/vectors/quantise.ts";

describe("the SIMD kernel for packed vectors", () => {
  it("is used on this runtime, and is small", () => {
    expect(createKernel().kind).toBe("simd");
    expect(kernelModule().length).toBeLessThan(512);
  });

  it("is the module that the code describes", () => {
    expect(KERNEL_BYTES).toBe(Buffer.from(kernelModule()).toString("base64"));
  });

  it("gives exactly the results of plain JavaScript, for any bytes and rows", () => {
    const given = fc.record({
      bytes: fc.uint8Array({ minLength: 1, maxLength: 600 }),
      values: fc.array(fc.integer({ min: -2047, max: 2047 }), { minLength: 1, maxLength: DIMENSIONS }),
      rows: fc.integer({ min: 1, max: 700 }),
      first: fc.nat(699),
      count: fc.nat(256),
    });
    fc.assert(
      fc.property(given, ({ bytes, values, rows, first, count }) => {
        const from = first % rows;
        const most = Math.min(count, rows - from);
        const query = Int16Array.from({ length: DIMENSIONS }, (_, d) => values[(d * 3) % values.length] ?? 0);
        const [simd, plain] = [simdKernel(), plainKernel()].map((kernel) => {
          kernel
            ?.rows(rows)
            .set(Array.from({ length: rows * ROW_BYTES }, (_, i) => bytes[(i * 5) % bytes.length] ?? 0));
          return [...(kernel?.products(query, from, most) ?? [])];
        });
        expect(simd).toHaveLength(most);
        expect(simd).toEqual(plain);
      }),
    );
  });

  it("multiplies each value with its own dimension", () => {
    for (const kernel of [simdKernel(), plainKernel()]) {
      // Row r has 1 in dimension r and 0 elsewhere: four bits each, as `pack` orders them.
      const rows = kernel?.rows(DIMENSIONS) ?? new Uint8Array();
      for (let d = 0; d < DIMENSIONS; d++) {
        const word = Math.floor(d / 32) * 8 + (d % 8);
        const part = Math.floor((d % 32) / 8);
        rows[d * ROW_BYTES + word * 2 + (part >> 1)] = part % 2 === 0 ? 1 : 16;
      }
      const query = Int16Array.from({ length: DIMENSIONS }, (_, d) => d - 100);
      expect([...(kernel?.products(query, 0, DIMENSIONS) ?? [])]).toEqual([...query]);
    }
  });

  it("does not overflow with the largest values", () => {
    for (const kernel of [simdKernel(), plainKernel()]) {
      for (const value of [2047, -2047]) {
        kernel?.rows(1).fill(255);
        expect(kernel?.products(new Int16Array(DIMENSIONS).fill(value), 0, 1)[0]).toBe(
          DIMENSIONS * value * 15,
        );
      }
    }
  });

  it("keeps the rows that are there when it grows", () => {
    for (const kernel of [simdKernel(), plainKernel()]) {
      kernel?.rows(1).fill(0x11);
      kernel?.rows(5000).fill(0x22, ROW_BYTES);
      const query = new Int16Array(DIMENSIONS).fill(1);
      expect(kernel?.products(query, 0, 1)[0]).toBe(DIMENSIONS);
      expect(kernel?.products(query, 4999, 1)[0]).toBe(DIMENSIONS * 2);
    }
  });
});
