import { join } from "node:path";
import { systemCode } from "../../../base/errors.ts";
import { fingerprint } from "../../../base/fingerprint.ts";
import { withLock } from "../../../store/lock.ts";
import { noteFailure } from "./failures.ts";
import type { MemoryRoot } from "./roots.ts";

/** What every change of a note needs. */
export interface WriteContext {
  /** The folder for locks. */
  readonly locks: string;
  readonly now: () => number;
}

const WAIT_MS = 5000;

/**
 * Allows only one change at a time in a root, across processes, so that none is lost. One lock for the whole root is
 * enough: a change takes milliseconds, and a lock per note would leave a folder behind for each.
 */
export async function withRootLock<T>(
  context: WriteContext,
  root: MemoryRoot,
  work: () => T | Promise<T>,
): Promise<T> {
  if (!root.isWritable) {
    throw noteFailure(
      "note-read-only",
      `${root.path} belongs to another program, so Continuo does not change it`,
      "write the note to the main notes folder: memory://folder/name",
    );
  }
  try {
    return await withLock(join(context.locks, `notes-${fingerprint(root.path)}`), work, { waitMs: WAIT_MS });
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined || !/^(?:EACCES|EPERM|EROFS|ENOSPC|EDQUOT)$/.test(code)) throw error;
    throw noteFailure(
      "note-read-only",
      `${root.path} cannot be written (${code})`,
      "make the folder and its files writable, or free some disk space; nothing was changed",
    );
  }
}
