import { rmSync, statSync } from "node:fs";
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
