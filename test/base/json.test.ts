import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isRefusedJson, MAX_DEPTH, MAX_VALUES, parseBounded } from "../../src/base/json.ts";

function outcome(work: () => unknown): unknown {
  try {
    return { value: work() };
  } catch (error) {
    return isRefusedJson(error) ? "refused" : "no JSON";
  }
}

const nested = (levels: number, inside = "") => "[".repeat(levels) + inside + "]".repeat(levels);

describe("JSON that others wrote", () => {
  it("is parsed as by JSON.parse, for every ordinary value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, "\t"), (value, indent) => {
        // Long enough to be checked before it is parsed.
        const text = JSON.stringify([value, "x".repeat(MAX_DEPTH)], null, indent);
        expect(parseBounded(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it("is refused as JSON.parse refuses it, for every text", () => {
    const signs = fc.string({
      unit: fc.constantFrom("[", "]", "{", "}", '"', "\\", ",", ":", "1", "a", " "),
    });
    fc.assert(
      fc.property(signs, (text) => {
        const long = `${" ".repeat(MAX_DEPTH)}${text}`;
        expect(outcome(() => parseBounded(long))).toEqual(outcome(() => JSON.parse(long)));
      }),
    );
  });

  it("is not counted inside strings, whatever is escaped there", () => {
    const value = { text: '["\\'.repeat(2 * MAX_DEPTH), "[[\\": "[,:{".repeat(MAX_VALUES) };
    expect(parseBounded(JSON.stringify(value))).toEqual(value);
  });

  it("is read down to the maximum depth, and refused below it", () => {
    expect(outcome(() => parseBounded(nested(MAX_DEPTH)))).not.toBe("refused");
    expect(outcome(() => parseBounded(nested(MAX_DEPTH + 1)))).toBe("refused");
    expect(outcome(() => parseBounded("[".repeat(3_000_000)))).toBe("refused");
    expect(outcome(() => parseBounded('{"a":'.repeat(MAX_DEPTH + 1)))).toBe("refused");
  });

  it("is refused if it has too many values for the memory, however flat it is", () => {
    expect(outcome(() => parseBounded(`[${"1,".repeat(MAX_VALUES - 1)}1]`))).not.toBe("refused");
    for (const one of ["1,", "[],", "{},", '"",'])
      expect(
        outcome(() => parseBounded(`[${one.repeat(MAX_VALUES)}1]`)),
        one,
      ).toBe("refused");
  });
});
