import type { Pattern } from "../rule.ts";
import { stepsAtMost } from "./backtracking.ts";
import { type Budget, type Finder, toFinder } from "./linear-regex.ts";
import { readRegex } from "./regex-tree.ts";

/** File names differ only in case on Windows, and so must everything that compares them. */
const FOLDS_CASE = process.platform === "win32";

/** A range of 256 folders below `**`, as an automaton. */
const READING = { maxStates: 20_000, lookahead: true };

/** A fraction of a millisecond. */
const QUICK_STEPS = 100_000;
const LENGTHS = [4096, 1024, 512, 256, 128, 64, 32];

/** For what path lengths JavaScript's own engine is certain to be quick; undefined for a pattern that is too large. */
export function quickLength(regex: string): number | undefined {
  const tree = readRegex(regex, READING.lookahead);
  if (tree === undefined) return undefined;
  // At each place of the text, to see that no alternative begins there.
  const tries = tree.kind === "alternatives" ? tree.parts.length : 1;
  const quick = LENGTHS.find((length) => stepsAtMost(tree, length) + tries * length <= QUICK_STEPS);
  if (quick !== undefined && quick >= 256) return quick;
  return toFinder(regex, { ...READING, ignoreCase: FOLDS_CASE }) === undefined ? undefined : (quick ?? 0);
}

const expressions = new Map<string, RegExp>();
const finders = new Map<string, Finder>();

/** A long-lived host meets the patterns of many projects. */
const MAX_KEPT = 5000;

/**
 * Whether a path, or a branch, is one that a pattern means. Time is bounded by the budget, whatever the two are; past it
 * nothing matches, and the budget says so.
 */
export function isMatch(pattern: Pattern, text: string, budget: Budget, foldsCase = FOLDS_CASE): boolean {
  if (!foldsCase && !text.startsWith(pattern.start)) return false;
  const key = foldsCase ? `i${pattern.regex}` : pattern.regex;
  if (text.length <= pattern.quick) {
    budget.left -= 1;
    return kept(expressions, key, () => new RegExp(pattern.regex, foldsCase ? "i" : "")).test(text);
  }
  const finder = kept(finders, key, () => {
    budget.left -= pattern.regex.length;
    return toFinder(pattern.regex, { ...READING, ignoreCase: foldsCase }) ?? (() => false);
  });
  return finder(text, budget) === true;
}

function kept<T>(map: Map<string, T>, key: string, make: () => T): T {
  const known = map.get(key);
  if (known !== undefined) return known;
  if (map.size >= MAX_KEPT) map.clear();
  const made = make();
  map.set(key, made);
  return made;
}
