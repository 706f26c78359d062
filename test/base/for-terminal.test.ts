import fc from "fast-check";
import { expect, it } from "vitest";
import { forTerminal, jsonForTerminal, oneLine } from "../../src/base/for-terminal.ts";

const OBEYED = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/;

it("control sequences are replaced visibly", () => {
  expect(forTerminal("a\u001b[31m\r\nb\tc\u009b")).toBe("a\ufffd[31m\nb\tc\ufffd");
  expect(forTerminal("a\u202egnp.exe\u2028b\u0085c")).toBe("a\ufffdgnp.exe b c");
  expect(oneLine(" a\n\n b\u0007\u2029c ")).toBe("a b\ufffd c");
});

it("no control sequence is left in any text, and a second pass changes nothing", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(forTerminal(text)).not.toMatch(OBEYED);
      expect(forTerminal(forTerminal(text))).toBe(forTerminal(text));
      expect(oneLine(text)).not.toMatch(/[\n\t]/);
    }),
    { numRuns: 1_000 },
  );
});

it("JSON is exact, on one line, with every invisible character escaped", () => {
  expect(jsonForTerminal({ a: "\u001b\u009b\u2028\u202e\u200d\u{e0041}é" })).toBe(
    '{"a":"\\u001b\\u009b\\u2028\\u202e\\u200d\\udb40\\udc41é"}',
  );
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const json = jsonForTerminal([text]);
      expect(JSON.parse(json)).toEqual([text]);
      expect(json).not.toMatch(OBEYED);
      expect(json).not.toMatch(/[\n\p{Cf}\p{Default_Ignorable_Code_Point}]/u);
    }),
    { numRuns: 1_000 },
  );
});
