import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createKernel, plainKernel, simdKernel } from "../../../../src/sources/notes/vectors/vector-set.ts";

const byte = fc.integer({ min: -128, max: 127 });

describe("the SIMD kernel", () => {
  it("is used on this runtime", () => {
    expect(createKernel({ rows: 4, dimensions: 16 }).kind).toBe("simd");
  });

  it("gives exactly the results of plain JavaScript, in any slot, for any number of rows", () => {
    const shape = fc.record({
      dimensions: fc.constantFrom(16, 32, 48, 384, 1536),
      rows: fc.integer({ min: 1, max: 9 }),
      slots: fc.integer({ min: 1, max: 20 }),
      bytes: fc.array(byte, { minLength: 1, maxLength: 300 }),
    });
    fc.assert(
      fc.property(shape, fc.nat(), ({ dimensions, rows, slots, bytes }, pick) => {
        const kernels = [simdKernel({ rows, dimensions }), plainKernel({ rows, dimensions })];
        const slot = pick % slots;
        const count = pick % (rows + 1);
        const query = Int8Array.from({ length: dimensions }, (_, i) => bytes[(i * 7) % bytes.length] ?? 0);
        const results = kernels.map((kernel) => {
          for (let number = 0; number < slots; number++)
            kernel
              ?.slot(number)
              .set(
                Array.from(
                  { length: rows * dimensions },
                  (_, i) => bytes[(i * 3 + number) % bytes.length] ?? 0,
                ),
              );
          return [...(kernel?.dots(query, slot, count) ?? [])];
        });
        expect(results[0]).toHaveLength(count);
        expect(results[0]).toEqual(results[1]);
      }),
    );
  });

  it("does not overflow with the largest values", () => {
    const shape = { rows: 1, dimensions: 4096 };
    for (const kernel of [simdKernel(shape), plainKernel(shape)]) {
      kernel?.slot(0).fill(-128);
      expect(kernel?.dots(new Int8Array(4096).fill(-128), 0, 1)[0]).toBe(4096 * 128 * 128);
    }
  });
});
