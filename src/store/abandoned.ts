import { lstatSync, realpathSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { namesIn } from "./folder.ts";
import { isRunning } from "./running.ts";

/**
 * The copies beside a file that `writeFileAtomic` did not come to put in its place, because the process was killed. They are
 * known by their name, which has the number of the process. A file that may be anything else is not among them: of a process
 * that runs, of another user, a link, a folder.
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
    return []; // the folder cannot be read: whoever needs it says so
  }
}

/** Returns how many there were. */
export function removeAbandonedCopies(path: string): number {
  const found = abandonedCopies(path);
  for (const one of found) rmSync(one, { force: true });
  return found.length;
}

/** As `writeFileAtomic` names them, with what `unique` returns. */
const REST = /^(\d{1,10})-[0-9a-z]{12,30}\.unfinished$/;

function isAbandoned(rest: string): boolean {
  const [, id] = REST.exec(rest) ?? [];
  return id !== undefined && Number(id) > 0 && !isRunning(Number(id));
}

function isOwnFile(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true && found.nlink === 1 && found.uid === (process.getuid?.() ?? found.uid);
}

/** Links are followed, as for writing. */
function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path; // the file does not exist
  }
}
