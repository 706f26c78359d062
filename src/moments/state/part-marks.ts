import { rmdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "../../base/errors.ts";
import { ensureFolder, namesIn } from "../../store/folder.ts";
import { fileNameFor, type Home } from "../../store/home.ts";
import type { Session } from "../types.ts";

/**
 * Marker files that exist while further hook entries of an event have something to print. The entries' shell commands
 * check for them before starting Continuo, so that a typical session, whose snapshot has one part, starts no further
 * process. There is one marker per entry number, so that no more processes start than there are parts.
 */

/** Below the home: `2`, `3`, …, a file for each further entry that recent sessions needed when they began. */
export const LONG_START = "parts/long-start";
/** Below the home: `2`, `3`, …, a folder for each further entry, with one file for each session with waiting parts. */
export const WAITING = "parts/waiting";

const DAY_MS = 24 * 3600 * 1000;
/** A start with one part removes older markers of longer starts after this time. */
const LONG_START_MS = 14 * DAY_MS;
/** The markers of a session that was killed are removed after this time. */
const WAITING_MS = DAY_MS;

/** The next session, or this one after a compaction, needs entries up to this number. */
export function markLongStart(home: Home, entries: number, now: number): void {
  const folder = join(home.root, LONG_START);
  ensureFolder(folder);
  for (let entry = 2; entry <= entries; entry++) touch(join(folder, String(entry)), now);
}

export function forgetLongStart(home: Home, now: number): void {
  forgetOld(join(home.root, LONG_START), now - LONG_START_MS);
}

export function markWaiting(home: Home, session: Session, entries: number, now: number): void {
  for (let entry = 2; entry <= entries; entry++) {
    const folder = join(home.root, WAITING, String(entry));
    const write = () => {
      ensureFolder(folder);
      touch(join(folder, nameOf(session)), now);
    };
    try {
      write();
    } catch {
      write(); // meanwhile another session's last part was taken, and the folder was removed
    }
  }
}

/** The folder is removed with its last session. */
export function unmarkWaiting(home: Home, session: Session): void {
  const all = join(home.root, WAITING);
  for (const entry of namesIn(all)) {
    rmSync(join(all, entry, nameOf(session)), { force: true });
    removeIfEmpty(join(all, entry));
  }
}

/** Called by an entry that was started needlessly, so that killed sessions do not keep starting processes forever. */
export function forgetWaiting(home: Home, now: number): void {
  const all = join(home.root, WAITING);
  for (const entry of namesIn(all)) forgetOld(join(all, entry), now - WAITING_MS);
}

function forgetOld(folder: string, before: number): void {
  for (const name of namesIn(folder)) {
    const last = statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs;
    if (last !== undefined && last < before) rmSync(join(folder, name), { force: true });
  }
  removeIfEmpty(folder);
}

function touch(path: string, now: number): void {
  writeFileSync(path, "", { mode: 0o600 });
  utimesSync(path, now / 1000, now / 1000);
}

function nameOf(session: Session): string {
  return `${session.host}-${fileNameFor(session.id)}`;
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    if (!["ENOENT", "ENOTEMPTY", "EEXIST"].includes(systemCode(error) ?? "")) throw error;
  }
}
