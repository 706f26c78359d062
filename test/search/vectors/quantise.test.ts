import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  DIMENSIONS,
  productWith,
  quantise,
  queryOf,
  ROW_BYTES,
  rowScale,
} from "../../../src/search/vectors/quantise.ts";

const numbers = fc.array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: 2, maxLength: DIMENSIONS });
/** Repeats the numbers, so that few are enough for a vector. */
const vectorOf = (values: readonly number[]): Float32Array =>
  Float32Array.from(
    { length: DIMENSIONS },
    (_, d) => (values[d % values.length] ?? 0) + ((d * 7) % 13) / 100,
  );

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

function cosineOf(query: Float32Array, passage: Float32Array): number {
  const row = new Uint8Array(ROW_BYTES);
  const scale = rowScale(quantise(passage, row));
  const asked = queryOf(query);
  if (asked === undefined) return Number.NaN;
  return (productWith(asked.values, row, 0) - asked.excess) * asked.scale * scale;
}

const dot = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, one, d) => sum + one * (b[d] ?? 0), 0);

describe("quantised vectors", () => {
  it("have a cosine of 1 with themselves and -1 with their opposite", () => {
    fc.assert(
      fc.property(numbers, (values) => {
        const vector = unit(vectorOf(values));
        expect(cosineOf(vector, vector)).toBeCloseTo(1, 2);
        expect(
          cosineOf(
            vector.map((value) => -value),
            vector,
          ),
        ).toBeCloseTo(-1, 2);
      }),
    );
  });

  it("have nearly the cosine of the full vectors, whose lengths do not matter", () => {
    let state = 1;
    const random = (): number => {
      state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
      return ((state ^ (state >>> 13)) >>> 8) / 2 ** 23 - 1;
    };
    const gaussian = (): Float32Array =>
      unit(Float32Array.from({ length: DIMENSIONS }, () => random() + random() + random() + random()));
    for (let run = 0; run < 200; run++) {
      const [a, b] = [gaussian(), gaussian()];
      const near = unit(a.map((value, d) => value + (run / 100) * (b[d] ?? 0)));
      expect(Math.abs(cosineOf(near, a) - dot(near, a))).toBeLessThan(0.03);
      expect(
        cosineOf(
          near.map((value) => value * 40),
          a.map((value) => value / 40),
        ),
      ).toBeCloseTo(cosineOf(near, a), 3);
    }
  });

  it("keep one large value among small ones, which is clipped", () => {
    const spike = new Float32Array(DIMENSIONS).fill(0.001);
    spike[17] = 1;
    expect(cosineOf(unit(spike), unit(spike))).toBeCloseTo(1, 3);
    const alone = new Float32Array(DIMENSIONS);
    alone[255] = -1;
    expect(cosineOf(alone, alone)).toBeCloseTo(1, 3);
  });

  it("of no direction are told from others, and compare with nothing", () => {
    const row = new Uint8Array(ROW_BYTES);
    for (const value of [0, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(quantise(new Float32Array(DIMENSIONS).fill(value), row)).toBe(0);
      expect(queryOf(new Float32Array(DIMENSIONS).fill(value))).toBeUndefined();
    }
    expect(rowScale(0)).toBe(0);
  });

  it("have 256 dimensions: others are refused", () => {
    expect(() => quantise(new Float32Array(128), new Uint8Array(ROW_BYTES))).toThrow(RangeError);
    expect(queryOf(new Float32Array(128))).toBeUndefined();
  });
});
