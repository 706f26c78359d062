import { statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { FileUse } from "../../../moments/working-set.ts";
import type { FilePatterns } from "../checks/check.ts";
import { isMatch } from "../matching/glob-matcher.ts";
import type { Budget } from "../matching/linear-regex.ts";

/** A command gets at most this many files, the most recently used. */
const MAX_FILES = 100;
/** And this many characters of names: some systems take no longer command line. */
const MAX_CHARACTERS = 30_000;
/** Of the files that the session edited, the most recently used. */
const MAX_LOOKED_AT = 1000;
/** For all checks of a moment. */
export const MATCHING_STEPS = 2_000_000;
const STEPS_PER_TEST = 20;

/** The files of the project that were edited, each once, the most recently used first. */
export function editedFiles(uses: readonly FileUse[]): string[] {
  const edited = uses.filter((use) => use.edited && !isAbsolute(use.path)).reverse();
  return [...new Set(edited.map((use) => use.path))].slice(0, MAX_LOOKED_AT);
}

/**
 * Files that match, exist and were written after this time. Their own times decide, not the tool calls: a call may have failed,
 * and a command may have changed the file too.
 */
export function changedFiles(
  files: FilePatterns,
  edited: readonly string[],
  root: string,
  since: number,
  budget: Budget,
): string[] {
  const changed: string[] = [];
  let characters = 0;
  for (const path of edited) {
    if (changed.length === MAX_FILES || budget.left < 0) break;
    if (!matches(files, path, budget)) continue;
    const stats = statSync(join(root, path), { throwIfNoEntry: false });
    if (stats?.isFile() !== true || stats.mtimeMs <= since) continue;
    characters += path.length + 3;
    if (characters > MAX_CHARACTERS) break;
    changed.push(path);
  }
  return changed;
}

function matches({ include, exclude }: FilePatterns, path: string, budget: Budget): boolean {
  budget.left -= STEPS_PER_TEST;
  return (
    (include.length === 0 || include.some((pattern) => isMatch(pattern, path, budget))) &&
    !exclude.some((pattern) => isMatch(pattern, path, budget))
  );
}
