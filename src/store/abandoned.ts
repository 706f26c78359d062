import { lstatSync, realpathSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { namesIn } from "./folder.ts";
import { isRunning } from "./running.ts";

/**
 * The temporary copies that `writeFileAtomic` left beside a file because its process was killed, recognised by their
 * name, which contains the process id. Excludes anything else: copies of a running process, files of another user,
 * links, folders.
 */
export function abandonedCopies(path: string): string[] {
  try {
    const target = realOf(path);
    const folder = dirname(target);
    const start = `.${basename(target)}.`;
    return namesIn(folder)
      .filter((name) => name.startsWith(start) && isAbandoned(name.slice(start.length)))
      .map((name) => join(folder, name))
      .filter(isOwnFile);
  } catch {
    return []; // the folder cannot be read: whoever uses it will report that
  }
}

/** Returns how many copies it removed. */
export function removeAbandonedCopies(path: string): number {
  const found = abandonedCopies(path);
  for (const one of found) rmSync(one, { force: true });
  return found.length;
}

/** The end of a copy's name: process id and `unique()`. */
const REST = /^(\d{1,10})-[0-9a-z]{12,30}\.unfinished$/;

function isAbandoned(rest: string): boolean {
  const [, id] = REST.exec(rest) ?? [];
  return id !== undefined && Number(id) > 0 && !isRunning(Number(id));
}

function isOwnFile(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true && found.nlink === 1 && found.uid === (process.getuid?.() ?? found.uid);
}

/** Resolves links, as writing does. */
function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path; // the file does not exist
  }
}
