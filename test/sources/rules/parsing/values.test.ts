import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitCommas, toList } from "../../../../src/sources/rules/parsing/values.ts";

describe("splitting at commas", () => {
  it.each([
    ["a, b,c", ["a", "b", "c"]],
    ["**/*.{ts,tsx}, src/**", ["**/*.{ts,tsx}", "src/**"]],
    ["{a,{b,c}},d", ["{a,{b,c}}", "d"]],
    ['"a, b", c', ['"a, b"', "c"]],
    ["it's, that's", ["it's", "that's"]],
    ["a,,b,", ["a", "b"]],
    ["a\\,b", ["a\\,b"]],
    ["{a, b", ["{a, b"]],
    ["", []],
  ])("%j", (text, items) => {
    expect(splitCommas(text)).toEqual(items);
  });

  it("returns what was joined", () => {
    const plain = fc.stringMatching(/^[\w*./!-]+$/);
    const braced = fc.array(plain, { minLength: 1, maxLength: 3 }).map((parts) => `{${parts.join(",")}}`);
    const item = fc
      .array(fc.oneof(plain, braced), { minLength: 1, maxLength: 3 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.array(item), fc.constantFrom(",", ", ", " ,\t"), (items, comma) => {
        expect(splitCommas(items.join(comma))).toEqual(items);
      }),
    );
  });
});

describe("the texts of a value", () => {
  it.each([
    ["a, b", ["a", "b"]],
    [
      ["a, b", "c"],
      ["a", "b", "c"],
    ],
    ['["a", "b"]', ["a", "b"]],
    ["['a', 'b']", ["a", "b"]],
    ["[ab].ts", ["[ab].ts"]],
    ["[12]", ["[12]"]],
    ["\"'*.ts'\"", ["*.ts"]],
    ['"a", "b"', ["a", "b"]],
    ["a\nb", ["a", "b"]],
    ["", []],
    [null, []],
    [[], []],
    [[""], []],
    [5, undefined],
    [[5], undefined],
    [{ a: 1 }, undefined],
    [true, undefined],
  ])("%j", (value, texts) => {
    expect(toList(value, "items")).toEqual(texts);
  });

  it("keep the commas of list items if these may be sentences", () => {
    expect(toList(["a, b"], "scalar")).toEqual(["a, b"]);
    expect(toList("a, b", "scalar")).toEqual(["a", "b"]);
  });

  it("are not changed if they must be literal", () => {
    expect(toList(" a, 'b' ", "never")).toEqual([" a, 'b' "]);
    expect(toList(["a", " "], "never")).toEqual([]);
  });
});
