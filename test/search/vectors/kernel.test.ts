import { existsSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createKernel, MOST_ROWS, plainKernel, simdKernel } from "../../../src/search/vectors/kernel.ts";
import { KERNEL_BYTES } from "../../../src/search/vectors/kernel-bytes.ts";
import { DIMENSIONS, ROW_BYTES } from "../../../src/search/vectors/quantise.ts";

const hasCompiler = existsSync(join(import.meta.dirname, "../../../node_modules/wabt"));

describe("the SIMD kernel for packed vectors", () => {
  it("is used on this runtime, and is small", () => {
    expect(createKernel().kind).toBe("simd");
    expect(Buffer.from(KERNEL_BYTES, "base64").length).toBeLessThan(1024);
  });

  // Without the compiler (an installation from before it was needed), nobody can have changed the source either.
  it.skipIf(!hasCompiler && !process.env["CI"])("is what the compiler makes of kernel.wat", async () => {
    const { compiledKernel } = await import("../../../scripts/vectors/kernel.mjs");
    expect(KERNEL_BYTES).toBe(await compiledKernel());
  });

  it("gives exactly the results of plain JavaScript, for any bytes and rows", () => {
    const given = fc.record({
      bytes: fc.uint8Array({ minLength: 1, maxLength: 600 }),
      values: fc.array(fc.integer({ min: -2047, max: 2047 }), { minLength: 1, maxLength: DIMENSIONS }),
      rows: fc.integer({ min: 1, max: MOST_ROWS }),
      count: fc.nat(MOST_ROWS),
    });
    const [simd, plain] = [simdKernel(), plainKernel()];
    fc.assert(
      fc.property(given, ({ bytes, values, rows, count }) => {
        const most = Math.min(count, rows);
        const query = Int16Array.from({ length: DIMENSIONS }, (_, d) => values[(d * 3) % values.length] ?? 0);
        const packed = Uint8Array.from(
          { length: rows * ROW_BYTES },
          (_, i) => bytes[(i * 5) % bytes.length] ?? 0,
        );
        const products = [...(simd?.products(query, packed, most) ?? [])];
        expect(products).toHaveLength(most);
        expect(products).toEqual([...plain.products(query, packed, most)]);
      }),
    );
  });

  it("multiplies each value with its own dimension", () => {
    for (const kernel of [simdKernel(), plainKernel()]) {
      // Row r has 1 in dimension r and 0 elsewhere: four bits each, as `pack` orders them.
      const rows = new Uint8Array(DIMENSIONS * ROW_BYTES);
      for (let d = 0; d < DIMENSIONS; d++) {
        const word = Math.floor(d / 32) * 8 + (d % 8);
        const part = Math.floor((d % 32) / 8);
        rows[d * ROW_BYTES + word * 2 + (part >> 1)] = part % 2 === 0 ? 1 : 16;
      }
      const query = Int16Array.from({ length: DIMENSIONS }, (_, d) => d - 100);
      expect([...(kernel?.products(query, rows, DIMENSIONS) ?? [])]).toEqual([...query]);
    }
  });

  it("does not overflow with the largest values", () => {
    for (const kernel of [simdKernel(), plainKernel()]) {
      for (const value of [2047, -2047]) {
        const row = new Uint8Array(ROW_BYTES).fill(255);
        expect(kernel?.products(new Int16Array(DIMENSIONS).fill(value), row, 1)[0]).toBe(
          DIMENSIONS * value * 15,
        );
      }
    }
  });
});
