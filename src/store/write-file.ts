import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { systemCode } from "../base/errors.ts";
import { unique } from "../base/fingerprint.ts";
import { ensureFolder } from "./folder.ts";
import { readAt, refuseOther } from "./read-file.ts";

/** How our unfinished files are named, so that a sweep can tell them from the user's. */
export const UNFINISHED = /^\..+\.\d+-[0-9a-z]+\.unfinished$/;

/**
 * Replaces a file so that a reader, or a crash at any point, finds the old or the new content, whole.
 * A symbolic link is followed: people keep their settings in a dotfiles repository.
 */
export function writeFileAtomic(
  path: string,
  content: string | Uint8Array,
  { mode = 0o600, durable = true }: { mode?: number; durable?: boolean } = {},
): void {
  const target = followLink(path);
  ensureFolder(dirname(target));
  const temporary = join(dirname(target), `.${basename(target)}.${process.pid}-${unique()}.unfinished`);
  const wanted = modeOf(target) ?? mode;
  const file = openSync(temporary, "wx", wanted);
  try {
    try {
      // The umask takes away from what a file of others had, or was to have.
      if ((wanted & 0o077) !== 0) fchmodSync(file, wanted & 0o7777);
      writeAll(file, typeof content === "string" ? Buffer.from(content, "utf8") : content);
      // Without it a power cut, not a crash of ours, can lose the file: right for what can be made again.
      if (durable) fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renamePatiently(temporary, target);
  } catch (error) {
    unlinkQuietly(temporary);
    throw error;
  }
}

/** Of the file that is replaced. */
function modeOf(target: string): number | undefined {
  const found = lstatSync(target, { throwIfNoEntry: false });
  return found?.isFile() === true ? found.mode : undefined;
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
}

/** Windows refuses to replace a file that another process has open at that instant, for example a virus scanner. */
function renamePatiently(from: string, to: string): void {
  for (let attempt = 0; ; attempt++) {
    try {
      renameSync(from, to);
      return;
    } catch (error) {
      const code = systemCode(error) ?? "";
      if (process.platform !== "win32" || attempt === 10 || !/^(EPERM|EACCES|EBUSY)$/.test(code)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10 * (attempt + 1));
    }
  }
}

/** To a regular file only: a device or a folder that a link leads to is not ours to replace, the link is. */
function followLink(path: string): string {
  try {
    const real = realpathSync.native(path);
    return statSync(real).isFile() ? real : path;
  } catch {
    return path; // not there yet, or a dangling link: then the link itself is replaced
  }
}

function unlinkQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // The reason for the failed write is what the caller must hear; `doctor` sweeps up the file.
  }
}

/**
 * Makes a file with its whole content in one step, or says false when there is one already. A rename would replace a
 * file that appeared since we looked; a hard link cannot.
 */
export function createFileAtomic(path: string, content: string, mode?: number): boolean {
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}-${unique()}.unfinished`);
  writeFileAtomic(draft, content, mode === undefined ? {} : { mode });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    // Some file systems have no hard links: then a look just before must do.
    if (existsSync(path)) return false;
    writeFileAtomic(path, content, mode === undefined ? {} : { mode });
    return true;
  } finally {
    unlinkSync(draft);
  }
}

const APPENDING =
  constants.O_RDWR |
  constants.O_APPEND |
  constants.O_CREAT |
  (constants.O_NONBLOCK ?? 0) |
  (constants.O_NOCTTY ?? 0);

/**
 * Appends whole lines to a file of ours. A writer that died or ran out of disk may have left half a line there; the next
 * one must not be glued to it. Whatever else is at that path is refused: writing into a pipe could wait for ever.
 */
export function appendLines(path: string, lines: string, { durable = false } = {}): void {
  const file = openSync(path, APPENDING, 0o600);
  try {
    const stats = fstatSync(file);
    refuseOther(path, stats);
    const isMidLine = stats.size > 0 && readAt(file, stats.size - 1, 1)[0] !== 0x0a;
    const bytes = Buffer.from(isMidLine ? `\n${lines}` : lines, "utf8");
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
    if (durable) fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
