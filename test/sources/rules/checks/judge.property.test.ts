import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileChecks } from "../../../../src/sources/rules/checks/check-set.ts";
import { SearchedText } from "../../../../src/sources/rules/checks/searched-text.ts";
import { readRegex } from "../../../../src/sources/rules/matching/automaton.ts";
import {
  isSearchable,
  literalsOf,
  searchPattern,
} from "../../../../src/sources/rules/matching/search-pattern.ts";
import { trigramHashes, trigramsOf } from "../../../../src/sources/rules/matching/trigrams.ts";
import { judgeEdit, setOf } from "./judging.ts";

/** Regular expressions of the kind that people write, with letters that the texts have too. */
const atom = fc.constantFrom(
  ..."a b c ab abc cab Ab . \\w \\s \\b ^ $ [ab] [^a] (?:a|bc) (?:ab|c|abc) (a|b?) \\. \\x61 \\u0062 É é".split(
    " ",
  ),
);
const count = fc.constantFrom("", "", "", "", "*", "+", "?", "{2}", "{1,2}", "{0,}", "{3,}");
const pattern = fc
  .tuple(
    fc.constantFrom("", "", "(?i)"),
    fc.array(fc.tuple(atom, count), { minLength: 1, maxLength: 6 }),
    fc.constantFrom("", "", "|b", "|cab"),
  )
  .map(([flags, all, or]) => flags + all.flat().join("") + or)
  .filter((source) => isSearchable(source));

const line = fc
  .array(fc.constantFrom("a", "b", "c", "ab", "abc", "A", "B", "C", " ", ".", "É", "é", "İ"), {
    maxLength: 10,
  })
  .map((parts) => parts.join(""));
const lines = fc.array(line, { minLength: 1, maxLength: 80 });

const native = (source: string): RegExp =>
  source.startsWith("(?i)") ? new RegExp(source.slice(4), "i") : new RegExp(source);

describe("judging an edit", () => {
  it("finds exactly the lines that JavaScript finds, with few and with many checks", async () => {
    let found = 0;
    let missed = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(pattern, { minLength: 1, maxLength: 15 }), lines, async (sources, text) => {
        const set = await setOf({ edits: sources.map((never, i) => ({ never, message: `${i}` })) });
        const { breaches } = judgeEdit(set, text.join("\n"));
        sources.forEach((source, i) => {
          const expected = text.filter((one) => native(source).test(one)).map((one) => one.trimEnd());
          const own = breaches.filter(({ message }) => message === `${i}`);
          const total = own.length + (own.at(-1)?.more ?? 0);
          const isEmpty = text.every((one) => one.trim() === "");
          expect(total, source).toBe(isEmpty ? 0 : expected.length);
          expect(own.map((one) => one.text)).toEqual(isEmpty ? [] : expected.slice(0, 20));
          if (total > 0) found++;
          else missed++;
        });
      }),
      { numRuns: 400 },
    );
    expect(found).toBeGreaterThan(500);
    expect(missed).toBeGreaterThan(300);
  });

  it("takes steps in proportion to the text, and to the checks", async () => {
    const rules = await Promise.all(
      Array.from({ length: 40 }, (_, i) => setOf({ edits: { never: `word\\w*${i}z` } })),
    );
    const checks = rules.flatMap(({ edits }) => edits.map(({ check }) => check));
    const steps = (lineCount: number, checkCount: number): number => {
      const set = compileChecks([{ key: "k", name: "n", checks: checks.slice(0, checkCount) }]);
      const text = "some word12 that has no end, word7 ( word\n".repeat(lineCount);
      // The fewest steps with which everything is looked at.
      let [low, high] = [0, 40_000_000];
      while (low < high) {
        const middle = (low + high) >> 1;
        const { breaches } = judgeEdit(set, text, {}, { steps: middle });
        if (breaches.some(({ isUnknown }) => isUnknown)) low = middle + 1;
        else high = middle;
      }
      return low;
    };
    const one = steps(500, 20);
    expect(one).toBeGreaterThan(500 * 20);
    expect(steps(5000, 20)).toBeLessThan(one * 11);
    expect(steps(500, 40)).toBeLessThan(one * 2.2);
  });

  it.each([
    ["(a+)+$", "a"],
    ["(a|a)*x", "a"],
    ["(.*)*x", "a"],
    ["a.*a.*a.*a.*x", "a"],
    ["(a?){50}a{50}x", "a"],
    ["(a?){400}(b?){400}(c?){400}zz", "abc"],
    ["(x+x+)+y", "x"],
  ])("with %s, made to explode, needs few steps for one long line", async (never, piece) => {
    const set = await setOf({ edits: { never } });
    const text = piece.repeat(300_000 / piece.length);
    expect(judgeEdit(set, `${text}!`, {}, { steps: 5_000_000 })).toMatchObject({
      breaches: [],
      occasions: [{}],
    });
  });
});

describe("literals of a pattern", () => {
  it.each([
    ["\\bany\\b", [["any"]]],
    ["console\\.log\\(", [["console.log("]]],
    ["TODO|FIXME|XXX", [["TODO", "FIXME", "XXX"]]],
    ["import .* from 'lodash'", [[" from 'lodash'"], ["import "]]],
    ["a(bc|d)e", [["abce", "ade"]]],
    ["colou?r", [["color", "colour"]]],
    ["x{3}", [["xxx"]]],
    ["(ab)+c", [["ab"], ["c"]]],
    ["foo|\\d+", []],
    ["[a-z]+", []],
    ["a*", []],
    ["(|a)b?", []],
  ])("%s: %j", (source, expected) => {
    const tree = readRegex(source, false);
    if (tree === undefined) throw new Error(source);
    const sorted = (sets: readonly (readonly string[])[]) => sets.map((set) => [...set].sort());
    expect(sorted(literalsOf(tree, false))).toEqual(sorted(expected));
  });

  it("are in every text that matches: nothing is lost by looking for them first", () => {
    let compared = 0;
    fc.assert(
      fc.property(pattern, lines, (source, texts) => {
        const { literals, ignoreCase } = searchPattern(source);
        for (const text of texts.filter((one) => native(source).test(one))) {
          const whole = ignoreCase ? text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : text;
          for (const set of literals) {
            compared++;
            expect(
              set.some((literal) => whole.includes(literal.text)),
              `${source} in ${text}`,
            ).toBe(true);
          }
        }
      }),
      { numRuns: 2000 },
    );
    expect(compared).toBeGreaterThan(1000);
  });

  it("have trigrams in each part of a text that contains them", () => {
    fc.assert(
      fc.property(lines, fc.nat(), fc.nat(20), fc.boolean(), (texts, at, length, isUpper) => {
        const text = texts.join("\n");
        const chosen = texts[at % texts.length] ?? "";
        const literal = chosen.slice(at % (chosen.length + 1)).slice(0, length);
        const { parts, partsWith } = trigramsOf(text);
        const mask = partsWith(
          trigramHashes(isUpper ? literal.replace(/[a-z]/g, (a) => a.toUpperCase()) : literal),
        );
        parts.forEach(({ start, end }, i) => {
          if (text.slice(start, end).includes(literal)) expect(mask & (1 << i)).not.toBe(0);
        });
        // The parts are all of the text, but for the line feeds around them.
        const all = parts.map(({ start, end }) => text.slice(start, end)).join("\n");
        expect(all.replace(/\n+$/, "")).toBe(text.replace(/\n+$/, ""));
      }),
    );
  });

  it("are found with and without trigrams in the same lines", () => {
    fc.assert(
      fc.property(pattern, lines, (source, texts) => {
        const [plain, prepared] = [new SearchedText(texts.join("\n")), new SearchedText(texts.join("\n"))];
        const budget = { left: 1e9 };
        prepared.expectMany(budget);
        expect(prepared.linesWith(source, budget)).toEqual(plain.linesWith(source, budget));
      }),
      { numRuns: 500 },
    );
  });
});
