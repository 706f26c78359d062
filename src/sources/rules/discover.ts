import { type Dirent, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { systemCode } from "../../moments/errors.ts";
import type { RuleFolder } from "./folders.ts";
import type { Dialect } from "./rule.ts";

export interface RuleFile {
  readonly path: string;
  /** Path below its rules folder with forward slashes. */
  readonly name: string;
  /** The same in every session and on every machine: the folder's label and the name. */
  readonly key: string;
  readonly dialect: Dialect;
  readonly scope: "project" | "global";
  readonly size: number;
  /** When content and entry last changed, in milliseconds, and which file it is: together they tell a change. */
  readonly modified: number;
  readonly changed: number;
  readonly inode: number;
}

/** Far beyond any sane set of rules: a guard against a link to the root of a disk. */
const MAX_FILES = 5000;

/** Rule files in the folders' order: recursive, sorted, hidden names skipped, a file reached twice taken once. */
export function discoverRules(
  folders: readonly RuleFolder[],
  onUnreadable: (path: string, code: string) => void,
): RuleFile[] {
  const found: RuleFile[] = [];
  const seen = new Set<string>();
  const isNew = (real: string | undefined) =>
    real !== undefined && !seen.has(real) && seen.add(real) !== undefined;
  for (const folder of folders) {
    const real = realOf(folder.path, true);
    // Marked as seen, so that a link back to it ends there.
    if (real !== undefined && leaves(folder, real))
      onUnreadable(folder.path, "it is a link that leads out of the project");
    else if (real !== undefined && isNew(real)) walk(folder.path, real, folder);
  }
  return found;

  /** `real` is the folder's real path: asking the system for each file's would be most of the cost. */
  function walk(directory: string, real: string, folder: RuleFolder): void {
    for (const entry of list(directory)) {
      if (found.length >= MAX_FILES) return;
      const path = join(directory, entry.name);
      const realPath = entry.isSymbolicLink() ? realOf(path) : `${real}${sep}${entry.name}`;
      if (realPath !== undefined && leaves(folder, realPath)) {
        onUnreadable(path, "it is a link that leads out of the project");
        continue;
      }
      if (realPath === undefined || entry.name.startsWith(".")) continue;
      const isRule = folder.ending.test(entry.name);
      if (entry.isFile() && !isRule) continue;
      const stat = look(path);
      if (stat?.isDirectory() && isNew(realPath)) walk(path, realPath, folder);
      else if (stat?.isFile() && isRule && isNew(realPath)) found.push(ruleFile(folder, path, stat));
    }
  }

  function list(directory: string): Dirent[] {
    try {
      return readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
    } catch (error) {
      const code = systemCode(error) ?? "unknown";
      if (code !== "ENOTDIR") onUnreadable(directory, code);
      return [];
    }
  }

  function look(path: string): Stats | undefined {
    return orUnreadable(path, () => statSync(path));
  }

  function realOf(path: string, mayBeAbsent = false): string | undefined {
    return orUnreadable(path, () => realpathSync.native(path), mayBeAbsent);
  }

  function orUnreadable<T>(path: string, ask: () => T, mayBeAbsent = false): T | undefined {
    try {
      return ask();
    } catch (error) {
      const code = systemCode(error) ?? "unknown";
      if (!mayBeAbsent || code !== "ENOENT") onUnreadable(path, code);
      return undefined;
    }
  }
}

function leaves(folder: RuleFolder, real: string): boolean {
  return folder.within !== undefined && !`${real}${sep}`.startsWith(`${folder.within}${sep}`);
}

function ruleFile(folder: RuleFolder, path: string, stat: Stats): RuleFile {
  const name = relative(folder.path, path).split(sep).join("/");
  return {
    path,
    name,
    key: `${folder.label}/${name}`,
    dialect: folder.dialect,
    scope: folder.scope,
    size: stat.size,
    modified: stat.mtimeMs,
    changed: stat.ctimeMs,
    inode: stat.ino,
  };
}
