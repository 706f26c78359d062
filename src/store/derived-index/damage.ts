import { readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { systemCode } from "../../base/errors.ts";
import { readText } from "../read-file.ts";
import { writeFileAtomic } from "../write-file.ts";

/**
 * Damage deep in a file shows only when a query meets it, long after the probe at open said yes. Then a mark
 * beside the index makes the next open rebuild it. The mark names the inode: a process that still holds a
 * file already set aside must not condemn the good one that took its place.
 */
const markOf = (path: string): string => `${path}.damaged`;

/** Which file is at this path: a number that a rename takes along. Undefined when there is none. */
export function identityOf(path: string): string | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino.toString();
}

export function markDamaged(path: string, identity: string): void {
  try {
    writeFileAtomic(markOf(path), identity, { durable: false });
  } catch (error) {
    // A full or read-only disk: the caller is about to hear of the damage itself, which matters more.
    if (systemCode(error) === undefined) throw error;
  }
}

export function isMarkedDamaged(path: string): boolean {
  try {
    return readText(markOf(path), { maxBytes: 4096 }) === identityOf(path);
  } catch (error) {
    // No mark is the normal case; one that cannot be read says nothing.
    if (systemCode(error) === undefined) throw error;
    return false;
  }
}

export function clearDamage(path: string): void {
  rmSync(markOf(path), { force: true });
}

const COMPANIONS = ["-wal", "-shm", "-journal"];

/** Renames the index and its companions to `.bad-<n>` and returns that path; only inside `alone`. */
export function setAside(path: string): string {
  const earlier = badNumbers(path);
  const target = `${path}.bad-${Math.max(0, ...earlier) + 1}`;
  // The index last: if we die between, what is left at its path is still the bad one and is seen again.
  for (const companion of COMPANIONS) renameIfThere(path + companion, target + companion);
  renameSync(path, target);
  for (const number of earlier) discard(`${path}.bad-${number}`);
  return target;
}

/** Whether one was set aside, in the last weeks or long ago: the newest is kept. */
export function wasSetAside(path: string): boolean {
  return badNumbers(path).length > 0;
}

/**
 * A new index must not inherit the companions of one that was deleted: a process that still has that one open
 * would share its -shm with ours, and both would read nonsense.
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
    // What is not a file is not ours to delete (somebody's folder was in the index's place): it stays.
    if (systemCode(error) === undefined) throw error;
  }
}
