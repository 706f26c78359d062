import { lstatSync, mkdirSync, readdirSync, rmdirSync, statSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { dirname, join, parse } from "node:path";
import { ContinuoError, systemCode } from "../base/errors.ts";

/** The longest path on any system: every parent of a longer one would be checked. */
const MAX_PATH = 32_767;

/** Creates a private folder and its missing parents. */
export function ensureFolder(path: string): void {
  try {
    makeFolder(path);
  } catch (error) {
    const at = (error as NodeJS.ErrnoException).path ?? path;
    throw new ContinuoError(
      "folder-unwritable",
      `${path.slice(0, 300)} cannot be created (${systemCode(error)} at ${at.slice(0, 300)})`,
      {
        hint: "make that folder writable, free disk space, or set CONTINUO_HOME to another folder",
        cause: error,
      },
    );
  }
}

/**
 * As `ensureFolder`, but throws the system's own errors. Does not use Node's `recursive`, which never returns if the
 * system denies that an existing folder exists, such as below /proc.
 */
export function makeFolder(path: string): void {
  if (path.length > MAX_PATH)
    throw Object.assign(new Error("the path is too long"), { code: "ENAMETOOLONG", syscall: "mkdir" });
  for (const folder of missingFolders(path).reverse()) {
    try {
      mkdirSync(folder, { mode: 0o700 });
    } catch (error) {
      // Another process created it first.
      if (systemCode(error) !== "EEXIST" || !statSync(folder).isDirectory()) throw error;
    }
  }
}

/** The folders that `makeFolder` would create for this path, the innermost first. */
export function missingFolders(path: string): string[] {
  const missing: string[] = [];
  for (
    let at = path;
    statSync(at, { throwIfNoEntry: false })?.isDirectory() !== true && dirname(at) !== at;
    at = dirname(at)
  )
    missing.push(at);
  return missing;
}

/** Removes these folders in this order, until one is not empty. */
export function removeEmptyFolders(folders: readonly string[]): void {
  try {
    for (const folder of folders) rmdirSync(folder);
  } catch {
    // A folder that is not empty is in use, and so are its parents.
  }
}

/** The names in a folder; none if it does not exist. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  }
}

/** The current folder. If it was deleted, the root of the file system, which belongs to no project. */
export function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    return parse(process.execPath).root;
  }
}

/**
 * This user's folder in the system's temporary folder, for failures and session states that cannot be written to the
 * home. undefined if another user created a folder or a link with that name.
 */
export function spareFolder(): string | undefined {
  try {
    const folder = join(tmpdir(), `continuo-${String(process.getuid?.() ?? userInfo().username)}`);
    const stat = lstatSync(folder, { throwIfNoEntry: false });
    if (stat === undefined) return folder;
    const isOwn = process.getuid === undefined || stat.uid === process.getuid();
    return stat.isDirectory() && isOwn ? folder : undefined;
  } catch {
    return undefined; // the user is unknown, or the temporary folder is not accessible
  }
}
