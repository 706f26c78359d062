import { describe, expect, it } from "vitest";
import { matchFiles } from "../../../../src/sources/rules/matching/file-matching.ts";
import { isMatch } from "../../../../src/sources/rules/matching/glob-matcher.ts";
import { toPatterns } from "../../../../src/sources/rules/matching/globs.ts";
import { keepFinders } from "../../../../src/sources/rules/matching/kept-finders.ts";
import { type Finder, toFinder } from "../../../../src/sources/rules/matching/linear-regex.ts";
import type { Pattern } from "../../../../src/sources/rules/rule.ts";

/** A glob of twenty alternatives, none of which JavaScript's engine is certain to match quickly. */
const costly = async (i: number): Promise<readonly Pattern[]> =>
  (await toPatterns(`**/*{a,b,c,d,e}*{f,g,h,i}*${i}*.ts`)) ?? [];

const ruleOf = (include: readonly Pattern[], content: string) => ({
  content,
  when: {
    kind: "conditions" as const,
    match: "any" as const,
    conditions: [{ on: "files" as const, include, exclude: [], contains: [] }],
  },
});

const finderOf = (source: string): Finder => {
  const made = toFinder(source);
  if (made === undefined) throw new Error(`refused: ${source}`);
  return made;
};

describe("compiled patterns that are kept", () => {
  it("never hold more than their limit, whatever they are used for", () => {
    const kept = keepFinders(200_000);
    for (let i = 0; i < 60; i++) {
      const source = `a{${1 + i * 3}}[ab]*c${i}`;
      const finder = kept.get(source) ?? finderOf(source);
      finder("ab".repeat(i * 5), { left: 1e6 });
      kept.keep(source, finder);
      expect(kept.bytes()).toBeLessThanOrEqual(200_000);
    }
    expect(kept.bytes()).toBeGreaterThan(0);
  });

  it("count what a finder keeps of the texts that it has read", () => {
    const kept = keepFinders(1_000_000);
    const finder = finderOf("a.{6}b");
    kept.keep("one", finder);
    const before = kept.bytes();
    finder("abbabaabbbabaaababbaabbabb".repeat(4), { left: 1e6 });
    kept.keep("one", finder);
    expect(kept.bytes()).toBeGreaterThan(before);
    expect(kept.bytes()).toBe(finder.bytes() + 2 * "one".length);
  });

  it("are removed when they were not used for the longest time", () => {
    const [one, two, three] = [finderOf("a+b"), finderOf("a+c"), finderOf("a+d")];
    const kept = keepFinders(2 * one.bytes() + 10);
    kept.keep("1", one);
    kept.keep("2", two);
    kept.keep("1", one);
    kept.keep("3", three);
    expect([kept.get("1"), kept.get("2"), kept.get("3")]).toEqual([one, undefined, three]);
  });
});

describe("costly patterns of strangers", () => {
  it("pay for being compiled", async () => {
    const [pattern] = await costly(1);
    if (pattern === undefined) throw new Error("refused");
    const states = toFinder(pattern.regex, { maxStates: 20_000, ignoreCase: false, lookahead: true })?.states;
    const budget = { left: 1e6 };
    isMatch(pattern, "src/first.ts", budget);
    expect(1e6 - budget.left).toBeGreaterThan((states ?? Infinity) * 5);
  });

  it("are not tested any more when the time is up, and all files are tested at the next moment", async () => {
    const rules = await Promise.all(
      Array.from({ length: 40 }, async (_, i) => ruleOf(await costly(100 + i), `rule ${i}`)),
    );
    const last = ruleOf((await toPatterns("src/*.ts")) ?? [], "last");
    const known = { files: {}, tested: null };
    const match = (isOver: () => boolean) =>
      matchFiles([...rules, last], known, ["src/x.ts"], ["src/x.ts"], "/", undefined, isOver);
    let looks = 0;
    const late = match(() => ++looks >= 3);
    expect(late).toEqual({ files: {}, tested: null, isCut: true });
    expect(looks).toBe(3);
    const inTime = match(() => false);
    expect(inTime).toMatchObject({ files: { last: "src/x.ts" }, isCut: false });
    expect(inTime.tested).not.toBeNull();
  });
});
