import { lstatSync, rmSync, statSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "../base/errors.ts";
import { fingerprint } from "../base/fingerprint.ts";
import { isRecord } from "../base/json.ts";
import { version } from "../base/version.ts";
import { type Basis, isAsStamped } from "./basis.ts";
import { namesIn } from "./folder.ts";
import { readText } from "./read-file.ts";
import { writeFileAtomic } from "./write-file.ts";

/** What a prepared value is for. */
export interface PreparedFor {
  /** Continuo's own folder. */
  readonly home: string;
  readonly source: string;
  /** The project's identity, the folder in which the session begins, and so on. Each combination has its own file. */
  readonly about: readonly string[];
  /** What the value depends on besides files: settings, variables. A value made with different ones is not used. */
  readonly given: unknown;
}

interface Asking {
  readonly now: number;
  /** The id of the session that begins: its host may already have created its file. */
  readonly self?: string;
}

/** Increase it whenever the meaning of a stored value changes. */
const FORMAT = 1;
/** The size limit of one file: the value with its basis. */
const MAX_BYTES = 128 * 1024;
/** At this many files, those of projects that are not used any more are removed. */
const MAX_FILES = 300;

/**
 * A source's part of a prepared start: a value that was made in advance, while the agent was idle. Undefined if any
 * file that it was made from has changed. It is never the only copy of anything: without it, the value is made from the
 * files.
 */
export function readPrepared(wanted: PreparedFor, { now, self = "" }: Asking): unknown {
  const folder = folderIn(wanted.home);
  let text: string;
  try {
    text = readText(join(folder, nameOf(wanted)), { maxBytes: MAX_BYTES, root: folder });
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined; // absent, or not one of Continuo's files
  }
  const stored = parse(text);
  if (stored === undefined || stored["format"] !== FORMAT || stored["made"] !== madeWith(wanted))
    return undefined;
  const { about, until, basis, value } = stored;
  if (!isSame(about, wanted.about) || typeof until !== "number" || now > until) return undefined;
  return Array.isArray(basis) && basis.every((one) => isAsStamped(one, self)) ? value : undefined;
}

/**
 * Stores a value with its basis. `until`: when it expires even if no file changes. Returns false if it cannot be
 * stored, which only costs time later.
 */
export function writePrepared(wanted: PreparedFor, value: unknown, basis: Basis, until: number): boolean {
  const stamps = basis.stamps();
  if (stamps === undefined) return false;
  const { about } = wanted;
  const text = JSON.stringify({
    format: FORMAT,
    made: madeWith(wanted),
    about,
    until,
    basis: stamps,
    value,
  });
  if (Buffer.byteLength(text) > MAX_BYTES) return false;
  const folder = folderIn(wanted.home);
  const path = join(folder, nameOf(wanted));
  try {
    const before = lstatSync(path, { throwIfNoEntry: false });
    // A link would be followed, and its target replaced.
    if (before?.isSymbolicLink() === true) unlinkSync(path);
    if (before === undefined) removeOldest(folder);
    writeFileAtomic(path, text, { durable: false });
    return true;
  } catch {
    return false; // an unwritable home is reported by the writes that matter
  }
}

/** Deletes all values of a source, because they could still contain something that the source has deleted. */
export function removePrepared(home: string, source: string): void {
  for (const name of namesIn(folderIn(home)))
    if (name.startsWith(`${source}-`)) rmSync(join(folderIn(home), name), { force: true });
}

function folderIn(home: string): string {
  return join(home, "cache", "prepared");
}

function nameOf({ source, about }: PreparedFor): string {
  return `${source}-${fingerprint(JSON.stringify(about))}.json`;
}

function madeWith({ given }: PreparedFor): string {
  return fingerprint(JSON.stringify([version, given]));
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined; // damaged: it is made again
  }
}

/** Compares the whole key: the file's name is only a short hash, which two projects may share. */
function isSame(stored: unknown, wanted: readonly string[]): boolean {
  return (
    Array.isArray(stored) && stored.length === wanted.length && wanted.every((one, i) => stored[i] === one)
  );
}

/** Removes the older half if there are too many. */
function removeOldest(folder: string): void {
  const names = namesIn(folder);
  if (names.length < MAX_FILES) return;
  const files = names.flatMap((name) => {
    const path = join(folder, name);
    const found = statSync(path, { throwIfNoEntry: false });
    return found === undefined ? [] : [{ path, modified: found.mtimeMs }];
  });
  files.sort((a, b) => a.modified - b.modified);
  for (const { path } of files.slice(0, Math.floor(MAX_FILES / 2))) unlinkSync(path);
}
