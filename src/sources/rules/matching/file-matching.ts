import { isAbsolute, posix, resolve } from "node:path";
import { systemCode } from "../../../base/errors.ts";
import { fingerprint } from "../../../base/fingerprint.ts";
import { readText } from "../../../store/read-file.ts";
import type { Condition, Pattern, Rule } from "../rule.ts";
import { FOLDS_CASE, isMatch } from "./glob-matcher.ts";
import { containsText } from "./keywords.ts";
import type { Budget } from "./linear-regex.ts";

type FilesCondition = Extract<Condition, { on: "files" }>;

/** For a rule that is new to a session, how many of the most recent files are searched for its texts. */
const MAX_READ_BACK = 50;
const MAX_TEXT_BYTES = 1024 * 1024;

/** Limits for one moment: steps for matching paths, and characters of searched files. */
const MAX_STEPS = 10_000_000;
const MAX_SEARCHED = 200_000_000;
/** How many characters of files are kept in memory for the next rule. */
const MAX_KEPT = 8_000_000;
/** The fixed cost of one test. */
const STEPS_PER_TEST = 20;
/** The clock is checked after this many steps. */
const STEPS_PER_LOOK = 20_000;

/** Which files satisfied which rules. */
export interface FileMemo {
  /** By a rule's content hash: the file that satisfied it. */
  readonly files: Readonly<Record<string, string | null>>;
  /** Hash of the rules that were tested against every file so far; null if there are none. */
  readonly tested: string | null;
}

/** What is needed to match a rule: its condition, and the hash under which a match is remembered. */
type MatchedRule = Pick<Rule, "when"> & { readonly content: string };

interface FileChanges extends FileMemo {
  /** Whether some rules could not be tested against every file. */
  readonly isCut: boolean;
}

/**
 * Finds rules whose condition on files is met now and was not before. As long as the rules are unchanged, only the
 * `touched` files of this moment are tested; if any rule is new or changed, the whole working set is, most recent
 * first. So the cost depends on the rules that could match the touched files, not on all rules times all files. Pass
 * `tested` if `rules` contains only those that could match. `isOver`: whether the time is up; then the next moment
 * tests all files again.
 */
export function matchFiles(
  rules: readonly MatchedRule[],
  known: FileMemo,
  touched: readonly string[],
  workingSet: readonly string[],
  root: string,
  tested = testedOf(rules) ?? null,
  isOver: () => boolean = () => false,
): FileChanges {
  if (tested === null) return { files: {}, tested: known.tested, isCut: false };
  const paths = byBuckets(tested === known.tested ? touched : workingSet);
  const search: Search = {
    root,
    texts: new Map(),
    budget: { left: MAX_STEPS },
    characters: { left: MAX_SEARCHED },
    kept: 0,
    isLate: lookingAt(isOver),
  };
  const files: Record<string, string> = {};
  for (const rule of paths.all.length === 0 ? [] : rules) {
    const { content } = rule;
    const condition = filesCondition(rule);
    if (condition === undefined || typeof known.files[content] === "string") continue;
    const path = mostRecent(condition, paths, search);
    if (path !== undefined) files[content] = path;
  }
  if (search.isLate(search.budget)) return { files, tested: null, isCut: true };
  return { files, tested, isCut: search.budget.left < 0 || search.characters.left < 0 };
}

/** Checks the clock only now and then, and not again once the time is up. */
function lookingAt(isOver: () => boolean): Search["isLate"] {
  let lookBelow = MAX_STEPS - STEPS_PER_LOOK;
  let isLate = false;
  return ({ left }) => {
    if (isLate || left > lookBelow) return isLate;
    lookBelow = left - STEPS_PER_LOOK;
    isLate = isOver();
    return isLate;
  };
}

/** Hash of the rules with a condition on files; undefined if there are none. */
export function testedOf(rules: readonly MatchedRule[]): string | undefined {
  const all = rules.filter((rule) => filesCondition(rule) !== undefined);
  return all.length === 0 ? undefined : fingerprint(all.map(({ content }) => content).join());
}

/** The state of one call of `matchFiles`. */
interface Search {
  readonly root: string;
  readonly texts: Map<string, string>;
  readonly budget: Budget;
  readonly characters: Budget;
  /** Number of characters in `texts`. */
  kept: number;
  /** Whether the time is up. */
  readonly isLate: (budget: Budget) => boolean;
}

interface PathsByBucket {
  readonly all: readonly string[];
  /** By bucket: the indexes of the paths that a pattern of that bucket could match. */
  readonly byBucket: ReadonlyMap<string, readonly number[]>;
}

/** Globs match only files in the project. A file outside has an absolute path and matches none. */
function byBuckets(paths: readonly string[]): PathsByBucket {
  const byBucket = new Map<string, number[]>();
  paths.forEach((path, i) => {
    if (isAbsolute(path)) return;
    for (const bucket of bucketsOf(path)) {
      const list = byBucket.get(bucket);
      if (list === undefined) byBucket.set(bucket, [i]);
      else list.push(i);
    }
  });
  return { all: paths, byBucket };
}

function mostRecent(
  condition: FilesCondition,
  { all, byBucket }: PathsByBucket,
  search: Search,
): string | undefined {
  const oldest = condition.contains.length > 0 ? all.length - MAX_READ_BACK : 0;
  let best = Math.max(0, oldest) - 1;
  const test = (candidates: readonly number[], pattern?: Pattern) => {
    for (let i = candidates.length - 1; i >= 0; i--) {
      const index = candidates[i] ?? -1;
      if (index <= best || search.budget.left < 0 || search.isLate(search.budget)) return;
      search.budget.left -= STEPS_PER_TEST;
      const path = all[index] ?? "";
      if (pattern !== undefined && !isMatch(pattern, path, search.budget)) continue;
      if (passesOtherTests(condition, path, search)) best = index;
    }
  };
  if (condition.include.length === 0) test(all.map((_, i) => i));
  else for (const one of condition.include) test(byBucket.get(foldName(one.bucket)) ?? [], one);
  return best < Math.max(0, oldest) ? undefined : all[best];
}

function passesOtherTests(condition: FilesCondition, path: string, search: Search): boolean {
  if (condition.exclude.some((pattern) => isMatchInProject(pattern, path, search.budget))) return false;
  return condition.contains.every((text) => {
    const whole = textOf(path, search);
    search.characters.left -= whole.length;
    return search.characters.left >= 0 && containsText(whole, text);
  });
}

/** The pattern that matches a path, to explain why a rule applies. */
export function includedBy(condition: FilesCondition, path: string): Pattern | undefined {
  const budget = { left: MAX_STEPS };
  return condition.include.find((pattern) => isMatchInProject(pattern, path, budget));
}

export function filesCondition(rule: Pick<Rule, "when">): FilesCondition | undefined {
  if (rule.when.kind !== "conditions") return undefined;
  for (const condition of rule.when.conditions) if (condition.on === "files") return condition;
  return undefined;
}

/** The buckets of all patterns that could match a path. */
export function bucketsOf(path: string): string[] {
  const base = foldName(posix.basename(path));
  return ["*", posix.extname(base), `=${base}`];
}

export function foldName(text: string): string {
  return FOLDS_CASE ? text.toLowerCase() : text;
}

/** False for a file outside the project, which has an absolute path. */
export function isMatchInProject(pattern: Pattern, path: string, budget: Budget): boolean {
  if (isAbsolute(path) || !bucketsOf(path).includes(foldName(pattern.bucket))) return false;
  return isMatch(pattern, path, budget);
}

/** A file's text; empty if it was deleted, is too large or unreadable. Then the rule does not apply. */
function textOf(path: string, search: Search): string {
  const { root, texts } = search;
  const known = texts.get(path);
  if (known !== undefined) return known;
  let text = "";
  try {
    text = readText(resolve(root, path), {
      maxBytes: MAX_TEXT_BYTES,
      ...(isAbsolute(path) ? {} : { root }),
    });
  } catch (error) {
    if (systemCode(error) === undefined) throw error; // otherwise deleted meanwhile, or not readable
  }
  search.kept += text.length;
  if (search.kept > MAX_KEPT) {
    texts.clear();
    search.kept = text.length;
  }
  texts.set(path, text);
  return text;
}
