import { readdirSync, rmdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "../moments/errors.ts";
import type { Session } from "../moments/types.ts";
import { ensureFolder } from "./folder.ts";
import { fileNameFor, type Home } from "./home.ts";

/**
 * Files that only say that further hook entries of an event have something to print. Their commands look for them before
 * they start a process of ours, so that the usual session, whose snapshot is one part, pays for none.
 */

/** Below the home: here when a session began lately with more than one part. */
export const LONG_START = "parts/long-start";
/** Below the home: a folder that is here while parts of some session wait, with one file for each of them. */
export const WAITING = "parts/waiting";

/** A start with one part forgets longer ones after this time, and a session that was killed is forgotten too. */
const FORGOTTEN_AFTER_MS = 24 * 3600 * 1000;

export function markLongStart(home: Home, now: number): void {
  const path = join(home.root, LONG_START);
  ensureFolder(join(home.root, "parts"));
  touch(path, now);
}

export function forgetLongStart(home: Home, now: number): void {
  const path = join(home.root, LONG_START);
  const last = modified(path);
  if (last !== undefined && now - last > FORGOTTEN_AFTER_MS) rmSync(path, { force: true });
}

export function markWaiting(home: Home, session: Session, now: number): void {
  const folder = join(home.root, WAITING);
  const write = () => {
    ensureFolder(folder);
    touch(join(folder, nameOf(session)), now);
  };
  try {
    write();
  } catch {
    write(); // another session's last part was taken in between, and the folder went with it
  }
}

/** The folder goes with the last session in it. */
export function unmarkWaiting(home: Home, session: Session): void {
  const folder = join(home.root, WAITING);
  rmSync(join(folder, nameOf(session)), { force: true });
  removeIfEmpty(folder);
}

/** Called by an entry that was started in vain: sessions that were killed keep no one busy for ever. */
export function forgetWaiting(home: Home, now: number): void {
  const folder = join(home.root, WAITING);
  for (const name of list(folder)) {
    const last = modified(join(folder, name));
    if (last !== undefined && now - last > FORGOTTEN_AFTER_MS) rmSync(join(folder, name), { force: true });
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

function modified(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  }
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    if (!["ENOENT", "ENOTEMPTY", "EEXIST"].includes(systemCode(error) ?? "")) throw error;
  }
}
