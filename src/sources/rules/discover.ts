import { readdirSync, realpathSync, type Stats, statSync } from "node:fs";
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
  const isNew = (path: string) => {
    const real = realpathSync.native(path);
    if (seen.has(real)) return false;
    seen.add(real);
    return true;
  };
  for (const folder of folders) {
    // Marked as seen, so that a link back to it ends there.
    if (look(folder.path, true) !== undefined && isNew(folder.path)) walk(folder.path, folder);
  }
  return found;

  function walk(directory: string, folder: RuleFolder): void {
    for (const name of list(directory)) {
      if (found.length >= MAX_FILES) return;
      const path = join(directory, name);
      const stat = look(path);
      if (stat?.isDirectory() && isNew(path)) walk(path, folder);
      else if (stat?.isFile() && folder.ending.test(name) && isNew(path))
        found.push(ruleFile(folder, path, stat));
    }
  }

  function list(directory: string): string[] {
    try {
      return readdirSync(directory)
        .filter((name) => !name.startsWith("."))
        .sort();
    } catch (error) {
      const code = systemCode(error) ?? "unknown";
      if (code !== "ENOENT" && code !== "ENOTDIR") onUnreadable(directory, code);
      return [];
    }
  }

  function look(path: string, mayBeAbsent = false): Stats | undefined {
    try {
      return statSync(path);
    } catch (error) {
      if (mayBeAbsent && systemCode(error) === "ENOENT") return undefined;
      onUnreadable(path, systemCode(error) ?? "unknown");
      return undefined;
    }
  }
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
