import { readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { systemCode } from "../../base/errors.ts";
import { readText } from "../read-file.ts";
import { writeFileAtomic } from "../write-file.ts";

/**
 * Damage deep in a file shows only when a query reaches it, long after the check at open has passed. A mark beside the
 * index then makes the next open rebuild it. The mark names the inode: a process that still holds a file already set
 * aside must not condemn the good file that replaced it.
 */
const markOf = (path: string): string => `${path}.damaged`;

/** Identifies the file at this path by its inode, which a rename keeps. Undefined when there is none. */
export function identityOf(path: string): string | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino.toString();
}

export function markDamaged(path: string, identity: string): void {
  try {
    writeFileAtomic(markOf(path), identity, { durable: false });
  } catch (error) {
    // A full or read-only disk: the caller is about to report the damage itself, which matters more.
    if (systemCode(error) === undefined) throw error;
  }
}

export function isMarkedDamaged(path: string): boolean {
  try {
    return readText(markOf(path), { maxBytes: 4096 }) === identityOf(path);
  } catch (error) {
    // Usually there is no mark. A mark that cannot be read is ignored.
    if (systemCode(error) === undefined) throw error;
    return false;
  }
}

export function clearDamage(path: string): void {
  rmSync(markOf(path), { force: true });
}

const COMPANIONS = ["-wal", "-shm", "-journal"];

/** Renames the index and its companions to `.bad-<n>` and returns that path. Call it only inside `alone`. */
export function setAside(path: string): string {
  const earlier = badNumbers(path);
  const target = `${path}.bad-${Math.max(0, ...earlier) + 1}`;
  // The index last: if the process dies in between, the damaged index is still at its path and is detected again.
  for (const companion of COMPANIONS) renameIfThere(path + companion, target + companion);
  renameSync(path, target);
  for (const number of earlier) discard(`${path}.bad-${number}`);
  return target;
}

/** Whether an index was ever set aside: the latest is kept. */
export function wasSetAside(path: string): boolean {
  return badNumbers(path).length > 0;
}

/**
 * A new index must not inherit the companions of a deleted one: a process that still has the old one open would share
 * its -shm with the new one, and both would read nonsense.
 */
export function removeStrayCompanions(path: string): void {
  for (const companion of COMPANIONS) rmSync(path + companion, { force: true });
}

function badNumbers(path: string): number[] {
  const prefix = `${basename(path)}.bad-`;
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(prefix))
    .map((name) => Number(name.slice(prefix.length)))
    .filter(Number.isInteger);
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    // Most damaged files have no companions.
    if (systemCode(error) !== "ENOENT") throw error;
  }
}

function discard(bad: string): void {
  try {
    for (const companion of COMPANIONS) rmSync(bad + companion, { force: true });
    rmSync(bad, { force: true });
  } catch (error) {
    // Someone put a folder in the index's place: it is not ours to delete.
    if (systemCode(error) === undefined) throw error;
  }
}
