import { lstatSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { dirname, join, parse } from "node:path";
import { ContinuoError, systemCode } from "../base/errors.ts";

/** Longer than any system's paths; each part of it would be looked at. */
const MAX_PATH = 32_767;

/** Makes a private folder and those above it. */
export function ensureFolder(path: string): void {
  try {
    makeFolder(path);
  } catch (error) {
    const at = (error as NodeJS.ErrnoException).path ?? path;
    throw new ContinuoError(
      "folder-unwritable",
      `${path.slice(0, 300)} cannot be made (${systemCode(error)} at ${at.slice(0, 300)})`,
      {
        hint: "make that folder writable, free some disk, or set CONTINUO_HOME to another place",
        cause: error,
      },
    );
  }
}

/**
 * The same, with the system's own errors. Not with Node's `recursive`: that one never ends where the system denies that a
 * folder exists, as it does below /proc.
 */
export function makeFolder(path: string): void {
  if (path.length > MAX_PATH)
    throw Object.assign(new Error("the path is too long"), { code: "ENAMETOOLONG", syscall: "mkdir" });
  const missing: string[] = [];
  for (
    let at = path;
    statSync(at, { throwIfNoEntry: false })?.isDirectory() !== true && dirname(at) !== at;
    at = dirname(at)
  )
    missing.push(at);
  for (const folder of missing.reverse()) {
    try {
      mkdirSync(folder, { mode: 0o700 });
    } catch (error) {
      // Another process was faster.
      if (systemCode(error) !== "EEXIST" || !statSync(folder).isDirectory()) throw error;
    }
  }
}

/** The names in a folder; none where it does not exist. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  }
}

/** The folder that the process is in. When it was deleted, the root of the file system, where no project is. */
export function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    return parse(process.execPath).root;
  }
}

/**
 * A folder of this user's in the temporary folder, for what the home cannot take: failures, and the state of sessions.
 * undefined where another user planted a folder or a link of that name.
 */
export function spareFolder(): string | undefined {
  try {
    const folder = join(tmpdir(), `continuo-${String(process.getuid?.() ?? userInfo().username)}`);
    const stat = lstatSync(folder, { throwIfNoEntry: false });
    if (stat === undefined) return folder;
    const isOurs = process.getuid === undefined || stat.uid === process.getuid();
    return stat.isDirectory() && isOurs ? folder : undefined;
  } catch {
    return undefined; // nobody knows who we are, or the temporary folder may not be looked into
  }
}
