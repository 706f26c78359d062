import { isAbsolute, posix, resolve } from "node:path";
import { systemCode } from "../../../base/errors.ts";
import { fingerprint } from "../../../base/fingerprint.ts";
import { readText } from "../../../store/read-file.ts";
import type { CatalogRule } from "../catalog/catalog-rule.ts";
import type { FileMemo } from "../memo.ts";
import type { Condition, Pattern } from "../rule.ts";
import { isMatch } from "./glob-matcher.ts";
import type { Budget } from "./linear-regex.ts";
import { holdsText } from "./occurrences.ts";

type FilesCondition = Extract<Condition, { on: "files" }>;

/** A rule that is new to a session is not tested for texts in more files than this, most recent first. */
const MAX_READ_BACK = 50;
const MAX_TEXT_BYTES = 1024 * 1024;

/** What one moment may spend on testing paths, in steps, and on looking for texts in files, in characters. */
const MAX_STEPS = 10_000_000;
const MAX_SEARCHED = 200_000_000;
/** Characters of files that are kept, so that the next rule need not read them again. */
const MAX_KEPT = 8_000_000;
/** What a test costs besides its matching. */
const STEPS_PER_TEST = 20;

export interface FileChanges extends FileMemo {
  /** Not every rule could be tested against every file. */
  readonly isCut: boolean;
}

/**
 * What changes in what is known. `touched` are the files of this moment: while the rules stay the same, only those are
 * tested; when any rule is new or changed, the whole working set, most recent first. So the cost follows the rules that
 * could match the touched files, not all rules times all files. `tested` is given where `rules` are only those that could
 * match.
 */
export function matchFiles(
  rules: readonly CatalogRule[],
  known: FileMemo,
  touched: readonly string[],
  workingSet: readonly string[],
  root: string,
  tested = testedOf(rules) ?? null,
): FileChanges {
  if (tested === null) return { files: {}, tested: known.tested, isCut: false };
  const paths = placed(tested === known.tested ? touched : workingSet);
  const world: World = {
    root,
    texts: new Map(),
    budget: { left: MAX_STEPS },
    search: { left: MAX_SEARCHED },
    kept: 0,
  };
  const files: Record<string, string> = {};
  for (const rule of paths.all.length === 0 ? [] : rules) {
    const { content } = rule;
    const condition = filesCondition(rule);
    if (condition === undefined || typeof known.files[content] === "string") continue;
    const path = mostRecent(condition, paths, world);
    if (path !== undefined) files[content] = path;
  }
  return { files, tested, isCut: world.budget.left < 0 || world.search.left < 0 };
}

/** Hash of the rules that have a condition on files; undefined when none has. */
export function testedOf(rules: readonly CatalogRule[]): string | undefined {
  const all = rules.filter((rule) => filesCondition(rule) !== undefined);
  return all.length === 0 ? undefined : fingerprint(all.map(({ content }) => content).join());
}

interface World {
  readonly root: string;
  readonly texts: Map<string, string>;
  readonly budget: Budget;
  readonly search: Budget;
  /** Characters in `texts`. */
  kept: number;
}

interface Placed {
  readonly all: readonly string[];
  /** Which of them a pattern with that bucket could match, by their index. */
  readonly byBucket: ReadonlyMap<string, readonly number[]>;
}

/** Globs are about the project: a file outside it, kept by its absolute path, satisfies none. */
function placed(paths: readonly string[]): Placed {
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

function mostRecent(condition: FilesCondition, { all, byBucket }: Placed, world: World): string | undefined {
  const oldest = condition.contains.length > 0 ? all.length - MAX_READ_BACK : 0;
  let best = Math.max(0, oldest) - 1;
  const look = (candidates: readonly number[], pattern?: Pattern) => {
    for (let i = candidates.length - 1; i >= 0; i--) {
      const index = candidates[i] ?? -1;
      if (index <= best || world.budget.left < 0) return;
      world.budget.left -= STEPS_PER_TEST;
      const path = all[index] ?? "";
      if (pattern !== undefined && !isMatch(pattern, path, world.budget)) continue;
      if (isKept(condition, path, world)) best = index;
    }
  };
  if (condition.include.length === 0) look(all.map((_, i) => i));
  else for (const one of condition.include) look(byBucket.get(foldName(one.bucket)) ?? [], one);
  return best < Math.max(0, oldest) ? undefined : all[best];
}

function isKept(condition: FilesCondition, path: string, world: World): boolean {
  if (condition.exclude.some((pattern) => tests(pattern, path, world.budget))) return false;
  return condition.contains.every((text) => {
    const whole = textOf(path, world);
    world.search.left -= whole.length;
    return world.search.left >= 0 && holdsText(whole, text);
  });
}

/** The pattern that a path satisfies, for telling why. */
export function includedBy(condition: FilesCondition, path: string): Pattern | undefined {
  const budget = { left: MAX_STEPS };
  return condition.include.find((pattern) => tests(pattern, path, budget));
}

export function filesCondition(rule: CatalogRule): FilesCondition | undefined {
  if (rule.when.kind !== "conditions") return undefined;
  for (const condition of rule.when.conditions) if (condition.on === "files") return condition;
  return undefined;
}

/** File names differ only in case on Windows, and so must everything that compares them. */
export const FOLDS_CASE = process.platform === "win32";

export function bucketsOf(path: string): string[] {
  const base = foldName(posix.basename(path));
  return ["*", posix.extname(base), `=${base}`];
}

export function foldName(text: string): string {
  return FOLDS_CASE ? text.toLowerCase() : text;
}

function tests(pattern: Pattern, path: string, budget: Budget): boolean {
  if (isAbsolute(path) || !bucketsOf(path).includes(foldName(pattern.bucket))) return false;
  return isMatch(pattern, path, budget);
}

/** A file's text; empty when it is gone, too large or unreadable: then it cannot contain what a rule looks for. */
function textOf(path: string, world: World): string {
  const { root, texts } = world;
  const known = texts.get(path);
  if (known !== undefined) return known;
  let text = "";
  try {
    text = readText(resolve(root, path), {
      maxBytes: MAX_TEXT_BYTES,
      ...(isAbsolute(path) ? {} : { root }),
    });
  } catch (error) {
    if (systemCode(error) === undefined) throw error; // deleted since, or not ours to read
  }
  world.kept += text.length;
  if (world.kept > MAX_KEPT) {
    texts.clear();
    world.kept = text.length;
  }
  texts.set(path, text);
  return text;
}
