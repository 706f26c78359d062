import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toFinder } from "../../../../src/sources/rules/matching/linear-regex.ts";

describe("a check's pattern", () => {
  it.each([
    ["rm\\s+-(rf|fr)\\b", '{"command":"rm -fr /"}', true],
    ["^\\{.*\\}$", "{}", true],
    ["a{2,3}b{2}c{0,}", "xaabbc", true],
    ["a{,3}", "a{,3}", true],
    ["[^\\]]x", "]x", false],
    ["(?<name>ab)+?$", "abab", true],
    ["\\u0041\\x42\\t", "AB\t", true],
    ["", "anything", true],
    ["(|a)*b", "aab", true],
    ["\\bx", "ax", false],
  ])("%s in %j: %s", (source, text, expected) => {
    expect(toFinder(source)?.(text, { left: 1e6 })).toBe(expected);
    expect(new RegExp(source).test(text)).toBe(expected);
  });

  it("gives the same results as in JavaScript", () => {
    const atom = fc.constantFrom(
      ..."a b c . \\w \\d \\s \\b \\B ^ $ [ab] [^a] [a-c1] - { } ] \\( \\. \\n a| |b (?: ( ) \\x61 \\u0062".split(
        " ",
      ),
    );
    const count = fc.constantFrom(
      "",
      "",
      "",
      "*",
      "+",
      "?",
      "*?",
      "+?",
      "??",
      "{2}",
      "{1,2}",
      "{0,}",
      "{,2}",
    );
    const source = fc.array(fc.tuple(atom, count), { maxLength: 8 }).map((all) => all.flat().join(""));
    const text = fc.array(fc.constantFrom("a", "b", "c", "1", " ", "-", "{", "(", ".", "\n", "]"), {
      maxLength: 8,
    });
    let compared = 0;
    fc.assert(
      fc.property(source, fc.array(text, { minLength: 5, maxLength: 5 }), (pattern, texts) => {
        let native: RegExp;
        try {
          native = new RegExp(pattern);
        } catch {
          expect(toFinder(pattern)).toBeUndefined();
          return;
        }
        const find = toFinder(pattern);
        for (const one of texts.map((parts) => parts.join(""))) {
          compared++;
          expect(find?.(one, { left: 1e6 }), JSON.stringify(one)).toBe(native.test(one));
        }
      }),
      { numRuns: 5000 },
    );
    expect(compared).toBeGreaterThan(3000);
  });

  it.each([
    ["(a+)+$", "a"],
    ["(a|a)*x", "a"],
    ["(.*)*x", "a"],
    ["a.*a.*a.*a.*x", "a"],
    ["(a?){50}a{50}x", "a"],
    ["\\s+$|a+\\s+b", "a "],
    ["(a?){400}(b?){400}(c?){400}zz", "abc"],
    ["rm\\s+-(rf|fr)\\b", "rm -"],
  ])("%s needs few steps for a text of %j made to be slow", (source, piece) => {
    for (const length of [20_000, 1_000_000]) {
      const budget = { left: 10 * length };
      const text = `${piece.repeat(length / piece.length)}!`;
      expect(toFinder(source)?.(text, budget)).toBe(false);
      expect(budget.left).toBeGreaterThan(0);
    }
  });
});
