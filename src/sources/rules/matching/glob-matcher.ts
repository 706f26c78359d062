import type { Pattern } from "../rule.ts";
import { type RegexNode, readRegex } from "./automaton.ts";
import { keepFinders } from "./kept-finders.ts";
import { type Budget, type Finder, toFinder } from "./linear-regex.ts";

/** File names are not case-sensitive on Windows. */
export const FOLDS_CASE = process.platform === "win32";

/** Enough for a range of 256 folders below `**`. */
const GLOB_OPTIONS = { maxStates: 20_000, lookahead: true };

/** Patterns up to this cost take a fraction of a millisecond. */
const QUICK_STEPS = 100_000;
const LENGTHS = [4096, 1024, 512, 256, 128, 64, 32];

/** The path length up to which JavaScript's engine is certain to be fast; undefined for a pattern that is too large. */
export function quickLength(regex: string): number | undefined {
  const tree = readRegex(regex, GLOB_OPTIONS.lookahead);
  if (tree === undefined) return undefined;
  // The engine tries every alternative at every position.
  const tries = tree.kind === "alternatives" ? tree.parts.length : 1;
  const quick = LENGTHS.find((length) => stepsAtMost(tree, length) + tries * length <= QUICK_STEPS);
  if (quick !== undefined && quick >= 256) return quick;
  return toFinder(regex, { ...GLOB_OPTIONS, ignoreCase: FOLDS_CASE }) === undefined
    ? undefined
    : (quick ?? 0);
}

/** A long-running host meets the patterns of many projects, and a stranger's rules may have huge ones. */
const MAX_EXPRESSIONS = 5000;
const MAX_EXPRESSION_CHARACTERS = 2_000_000;
/**
 * Enough for a thousand ordinary patterns, such as a folder at any depth. With less they would be compiled again at
 * every tool call.
 */
const MAX_FINDER_BYTES = 48 * 1024 * 1024;
/** The cost of compiling, relative to a step of matching. */
const STEPS_PER_STATE = 10;

const expressions = new Map<string, RegExp>();
let expressionCharacters = 0;
const finders = keepFinders(MAX_FINDER_BYTES);

/** Whether a pattern matches a path or a branch. When the budget is used up nothing matches, and `budget.left` is negative. */
export function isMatch(pattern: Pattern, text: string, budget: Budget, foldsCase = FOLDS_CASE): boolean {
  if (budget.left < 0 || (!foldsCase && !text.startsWith(pattern.start))) return false;
  const key = foldsCase ? `i${pattern.regex}` : pattern.regex;
  if (text.length <= pattern.quick) {
    budget.left -= 1;
    return expressionFor(key, pattern.regex, foldsCase).test(text);
  }
  const finder = finders.get(key) ?? compiled(pattern.regex, foldsCase, budget);
  const isFound = finder?.(text, budget) === true;
  if (finder !== undefined) finders.keep(key, finder);
  return isFound;
}

function expressionFor(key: string, regex: string, foldsCase: boolean): RegExp {
  const known = expressions.get(key);
  if (known !== undefined) return known;
  if (expressions.size >= MAX_EXPRESSIONS || expressionCharacters >= MAX_EXPRESSION_CHARACTERS) {
    expressions.clear();
    expressionCharacters = 0;
  }
  const made = new RegExp(regex, foldsCase ? "i" : "");
  expressions.set(key, made);
  expressionCharacters += key.length;
  return made;
}

/** Undefined for a pattern that is too large, which is refused when its rule is read. */
function compiled(regex: string, ignoreCase: boolean, budget: Budget): Finder | undefined {
  const made = toFinder(regex, { ...GLOB_OPTIONS, ignoreCase });
  budget.left -= regex.length + (made?.states ?? 0) * STEPS_PER_STATE;
  return made;
}

/**
 * An upper bound of the steps that JavaScript's engine takes at one position of a text of `length` characters. The
 * engine backtracks, so each choice multiplies the cost of what follows it; a choice inside a repetition has no useful
 * bound. The real cost is often far lower.
 */
export function stepsAtMost(tree: RegexNode, length: number): number {
  return costOf(tree).steps;

  /** `ways`: in how many ways a node can match. `steps`: the cost of trying all of them. */
  function costOf(node: RegexNode): { steps: number; ways: number } {
    switch (node.kind) {
      case "unit":
      case "assertion":
        return { steps: 1, ways: 1 };
      case "lookahead":
        // Once a lookahead matches, the engine tries no alternatives.
        return { steps: costOf(node.inner).steps + 1, ways: 1 };
      case "alternatives": {
        const parts = node.parts.map(costOf);
        return { steps: 1 + sum(parts.map(({ steps }) => steps)), ways: sum(parts.map(({ ways }) => ways)) };
      }
      case "sequence": {
        let [steps, ways] = [0, 1];
        for (const one of node.parts.map(costOf)) {
          steps += ways * one.steps;
          ways *= one.ways;
        }
        return { steps, ways };
      }
      case "repeat": {
        const inner = costOf(node.inner);
        const times = Math.min(node.most, node.least + length) + 1;
        // Each number of repetitions is one way, and each repetition can match in all ways of the inner node.
        const ways = inner.ways <= 1 ? times : inner.ways ** times * 2;
        return { steps: 1 + ways * inner.steps, ways };
      }
    }
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
