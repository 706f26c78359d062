import { describe, expect, it } from "vitest";
import { readRegex, toAutomaton } from "../../../../src/sources/rules/matching/automaton.ts";
import { isMatch, stepsAtMost } from "../../../../src/sources/rules/matching/glob-matcher.ts";
import { toPatterns } from "../../../../src/sources/rules/matching/globs.ts";
import { toFinder } from "../../../../src/sources/rules/matching/linear-regex.ts";
import { globs, globTexts, regexes, regexTexts } from "./hostile-patterns.ts";

const GLOB = { maxStates: 20_000, ignoreCase: false, lookahead: true };
const GUARD = { maxStates: 5000, ignoreCase: false, lookahead: false };

/** The most steps of an automaton for each character, by its size. */
function size(source: string, { maxStates, lookahead }: typeof GLOB): number {
  const tree = readRegex(source, lookahead);
  const automaton = tree && toAutomaton(tree, maxStates, false);
  return automaton?.states.reduce((all, state) => all + 1 + state.to.length, 0) ?? 0;
}

function steps(source: string, text: string, reading: typeof GLOB): { found: unknown; steps: number } {
  const budget = { left: 1e9 };
  const found = toFinder(source, reading)?.(text, budget);
  return { found, steps: 1e9 - budget.left };
}

describe("matching any pattern against any text", () => {
  it("takes at most as many steps as the automaton's size times the text's length, for 50,000 generated pairs", async () => {
    let compared = 0;
    const check = (source: string, texts: readonly string[], reading: typeof GLOB) => {
      const find = toFinder(source, reading);
      if (find === undefined) return;
      // 200 are the fixed cost of a set of states that was not met before.
      const limit = 200 + 2 * size(source, reading);
      for (const text of texts) {
        const budget = { left: limit * (text.length + 2) };
        expect(find(text, budget), `${source} in ${text.slice(0, 80)}`).not.toBe("unknown");
        compared++;
      }
    };
    for (const glob of globs(750)) {
      for (const { regex } of (await toPatterns(glob)) ?? []) check(regex, globTexts(glob, 40), GLOB);
    }
    for (const source of regexes(750)) check(source, regexTexts(source, 30), GUARD);
    expect(compared).toBeGreaterThan(50_000);
  }, 120_000);

  it.each([
    ["**/*a*a*a*a/**/*a*a*a*a/**/*b", "a"],
    ["**/*a*a*a*a/**/*a*a*a*a/**/*b", "aaaa/"],
    ["+(a)+(a)+(a)+(a)b", "a"],
    ["**/*a*a*a*a*a*a*a*a*a*a*b", "ab/a"],
    ["!(*a*a*a*a)!(*a*a*a*a)b", "a"],
    ["@(a|aa)@(a|aa)@(a|aa)@(a|aa)@(a|aa)@(a|aa)@(a|aa)@(a|aa)b", "a"],
  ])("glob %s and a long path of %j", async (glob, piece) => {
    const path = piece.repeat(4000 / piece.length);
    const budget = { left: 2_000_000 };
    const patterns = (await toPatterns(glob)) ?? [];
    expect(patterns.some((pattern) => isMatch(pattern, path, budget))).toBe(false);
    expect(budget.left).toBeGreaterThan(0);
  });

  it("shows that a budget is used up, and then matches nothing", async () => {
    expect(toFinder("a*b")?.("a".repeat(100), { left: 50 })).toBe("unknown");
    const [pattern] = (await toPatterns("**/*a*a*a*a*")) ?? [];
    const budget = { left: 10 };
    expect(pattern && isMatch(pattern, "a".repeat(4000), budget)).toBe(false);
    expect(budget.left).toBeLessThan(0);
  });

  it("refuses a guard's pattern that would need too many states", () => {
    for (const source of ["(a{70}){70}{2}", "((a{99}){99}){99}", "(?:){99999}", "(((a?){50}){50}){50}"])
      expect(toFinder(source), source).toBeUndefined();
  });
});

describe("matching in linear time", () => {
  it("gives JavaScript's result for every glob that JavaScript's engine matches quickly", async () => {
    let compared = 0;
    for (const glob of globs(1200)) {
      for (const { regex, quick } of (await toPatterns(glob)) ?? []) {
        const native = new RegExp(regex);
        for (const text of globTexts(glob, 12).filter(({ length }) => length <= Math.max(quick, 24))) {
          expect(steps(regex, text, GLOB).found, `${glob} ${text}`).toBe(native.test(text));
          compared++;
        }
      }
    }
    expect(compared).toBeGreaterThan(5000);
  }, 120_000);

  it("uses JavaScript's engine only for paths for which it is certain to be fast", async () => {
    const quick = async (glob: string) =>
      Math.min(...((await toPatterns(glob)) ?? []).map((one) => one.quick));
    expect(await quick("src/**/*.ts")).toBeGreaterThanOrEqual(64);
    expect(await quick("package.json")).toBeGreaterThanOrEqual(1024);
    expect(await quick("**/*a*a*a*a/**/*b")).toBe(0);
    expect(await quick(`${"@(a|aa)".repeat(40)}b`)).toBe(0);
  });

  it("never underestimates the steps of JavaScript's engine", () => {
    const cost = (source: string, length: number) => {
      const tree = readRegex(source, true);
      return tree === undefined ? 0 : stepsAtMost(tree, length);
    };
    expect(cost("^a*a*b$", 100)).toBeGreaterThan(100 * 100);
    expect(cost("^(a|a)(a|a)(a|a)b$", 100)).toBeGreaterThan(8);
    expect(cost("^(a*)*b$", 100)).toBeGreaterThan(1e12);
    expect(cost("^(a|aa)+b$", 100)).toBeGreaterThan(1e12);
    expect(cost("^(a?){60}b$", 100)).toBeGreaterThan(1e12);
  });
});
