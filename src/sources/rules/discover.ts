import { readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { systemCode } from "../../moments/errors.ts";

export interface RuleFile {
  readonly path: string;
  /** Path below its rules folder with forward slashes: what people see. */
  readonly name: string;
  /** The rules folder below the project, e.g. `.continuo/rules`. */
  readonly folder: string;
  readonly size: number;
  /** When content and entry last changed, in milliseconds, and which file it is: together they tell a change. */
  readonly modified: number;
  readonly changed: number;
  readonly inode: number;
}

const FOLDERS = [".continuo/rules", ".opencode/rules"];
const ENDING = /\.mdc?$/i;

/** Far beyond any sane set of rules: a guard against a link to the root of a disk. */
const MAX_FILES = 5000;

/** Rule files of a project: recursive, sorted, hidden names skipped, loops through links cut. */
export function discoverRules(root: string, onUnreadable: (path: string, code: string) => void): RuleFile[] {
  const found: RuleFile[] = [];
  const seen = new Set<string>();
  for (const folder of FOLDERS) {
    const base = join(root, folder);
    walk(base, (path, stat) => {
      const real = realpathSync(path);
      if (seen.has(real)) return; // the same file through two links is one rule
      seen.add(real);
      found.push({
        path,
        name: relative(base, path).split(sep).join("/"),
        folder,
        size: stat.size,
        modified: stat.mtimeMs,
        changed: stat.ctimeMs,
        inode: stat.ino,
      });
    });
  }
  return found;

  function walk(directory: string, onFile: (path: string, stat: Stats) => void): void {
    for (const name of names(directory)) {
      const path = join(directory, name);
      const stat = statOrUndefined(path);
      if (stat === undefined || found.length >= MAX_FILES) continue;
      if (stat.isDirectory()) {
        const real = realpathSync(path);
        if (seen.has(real)) continue;
        seen.add(real);
        walk(path, onFile);
      } else if (stat.isFile() && ENDING.test(name)) onFile(path, stat);
    }
  }

  function names(directory: string): string[] {
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

  function statOrUndefined(path: string) {
    try {
      return statSync(path);
    } catch (error) {
      onUnreadable(path, systemCode(error) ?? "unknown");
      return undefined;
    }
  }
}
