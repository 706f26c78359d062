import fc from "fast-check";
import { expect, test } from "vitest";
import { parseObject, removeElement } from "../../../../src/hosts/shared/install/jsonc.ts";

test("a line comment before the last element does not swallow the bracket when the element goes", () => {
  const text = '{ "plugin": ["theirs", // and ours\n  "ours"] }';
  expect(removeElement(text, ["plugin"], 1)).toBe('{ "plugin": ["theirs" // and ours\n  ] }');
});

test("whatever stands between elements, one that goes leaves the others and every comment", () => {
  const gap = fc.constantFrom("", " ", "\n  ", "\r\n\t", "/*c,*/", " // c, ]\n");
  const value = fc.constantFrom('"a"', '"b,"', '["x", { "y": 1 }]', "3");
  const list = fc.array(fc.tuple(gap, value, gap), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(list, fc.boolean(), gap, fc.nat(3), (elements, trailing, last, at) => {
      const inner = elements.map((element) => element.join("")).join(",");
      const text = `{"p": [${inner}${trailing ? "," : ""}${last}], "q": 1}`;
      const index = at % elements.length;
      const { p, q } = parseObject(text) as { p: unknown[]; q: number };
      const result = removeElement(text, ["p"], index);
      expect(parseObject(result)).toEqual({ p: p.toSpliced(index, 1), q });
      expect(result.match(/c,/g)).toEqual(text.match(/c,/g));
    }),
  );
});
