import { isAbsolute, posix, resolve } from "node:path";
import { readText } from "../../store/read-file.ts";
import type { CatalogRule } from "./catalog.ts";
import type { Condition, Pattern } from "./rule.ts";

type FilesCondition = Extract<Condition, { on: "files" }>;

/** For each rule that depends on files, by its content hash: the file that satisfied it, or null if none did yet. */
export type FileMatches = Readonly<Record<string, string | null>>;

/** A rule that is new to a session is not tested for texts in more files than this, most recent first. */
const MAX_READ_BACK = 50;
const MAX_TEXT_BYTES = 1024 * 1024;

/**
 * What changes in what is known. `touched` are the files of this moment; a rule that was tested before is tested only
 * against them, one that is new or changed against the whole working set, most recent first. So the cost follows the
 * rules that could match the touched files, not all rules times all files.
 */
export function matchFiles(
  rules: readonly CatalogRule[],
  known: FileMatches,
  touched: readonly string[],
  workingSet: readonly string[],
  root: string,
): FileMatches {
  const changes: Record<string, string | null> = {};
  const texts = new Map<string, string>();
  const seen = touched.map((path) => ({ path, buckets: bucketsOf(path) }));
  for (const rule of rules) {
    const condition = filesCondition(rule);
    if (condition === undefined) continue;
    const before = known[rule.content];
    if (before === undefined) {
      const reach = condition.contains.length > 0 ? MAX_READ_BACK : workingSet.length;
      changes[rule.content] =
        workingSet.slice(-reach).findLast((path) => isMatch(condition, path, root, texts)) ?? null;
    } else if (before === null) {
      for (const { path, buckets } of seen) {
        if (!couldMatch(condition, buckets) || !isMatch(condition, path, root, texts)) continue;
        changes[rule.content] = path;
        break;
      }
    }
  }
  return changes;
}

/** The pattern that a path satisfies, for telling why. */
export function includedBy(condition: FilesCondition, path: string): Pattern | undefined {
  return condition.include.find((pattern) => tests(pattern, path));
}

export function filesCondition(rule: CatalogRule): FilesCondition | undefined {
  if (rule.when.kind !== "conditions") return undefined;
  for (const condition of rule.when.conditions) if (condition.on === "files") return condition;
  return undefined;
}

/** The cheap test first: has any pattern a bucket that the path is in? */
function couldMatch(condition: FilesCondition, buckets: readonly string[]): boolean {
  return (
    condition.include.length === 0 ||
    condition.include.some((pattern) => buckets.includes(fold(pattern.bucket)))
  );
}

/** File names differ only in case on Windows, and so must everything that compares them. */
const FOLDS_CASE = process.platform === "win32";

function bucketsOf(path: string): string[] {
  const base = fold(posix.basename(path));
  return ["*", posix.extname(base), `=${base}`];
}

function fold(text: string): string {
  return FOLDS_CASE ? text.toLowerCase() : text;
}

function isMatch(
  condition: FilesCondition | undefined,
  path: string,
  root: string,
  texts: Map<string, string>,
): boolean {
  if (condition === undefined) return false;
  if (condition.include.length > 0 && includedBy(condition, path) === undefined) return false;
  if (condition.exclude.some((pattern) => tests(pattern, path))) return false;
  return condition.contains.every((text) => textOf(path, root, texts).includes(text));
}

const compiled = new Map<string, RegExp>();

function tests(pattern: Pattern, path: string): boolean {
  // Globs are about the project: a file outside it, kept by its absolute path, satisfies none.
  if (isAbsolute(path)) return false;
  if (!bucketsOf(path).includes(fold(pattern.bucket))) return false;
  let regex = compiled.get(pattern.regex);
  if (regex === undefined) {
    regex = new RegExp(pattern.regex, FOLDS_CASE ? "i" : "");
    compiled.set(pattern.regex, regex);
  }
  return regex.test(path);
}

/** A file's text; empty when it is gone, too large or unreadable: then it cannot contain what a rule looks for. */
function textOf(path: string, root: string, texts: Map<string, string>): string {
  const known = texts.get(path);
  if (known !== undefined) return known;
  let text = "";
  try {
    text = readText(resolve(root, path), {
      maxBytes: MAX_TEXT_BYTES,
      ...(isAbsolute(path) ? {} : { root }),
    });
  } catch {
    // Deleted since, or not ours to read.
  }
  texts.set(path, text);
  return text;
}
