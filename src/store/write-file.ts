import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  type Stats,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { systemCode } from "../base/errors.ts";
import { unique } from "../base/fingerprint.ts";
import { ensureFolder } from "./folder.ts";
import { readAt, refuseOther } from "./read-file.ts";

/** The names of unfinished files, so that a cleanup can tell them from the user's files. */
export const UNFINISHED = /^\..+\.\d+-[0-9a-z]+\.unfinished$/;

/**
 * Replaces a file atomically: a reader always finds the complete old or the complete new content, even after a crash.
 * A symbolic link is followed, because people keep their settings in a dotfiles repository.
 */
export function writeFileAtomic(
  path: string,
  content: string | Uint8Array,
  { mode = 0o600, durable = true, follows = true }: WriteOptions = {},
): void {
  const target = follows ? followLink(path) : path;
  if (follows) ensureFolder(dirname(target));
  const temporary = join(dirname(target), `.${basename(target)}.${process.pid}-${unique()}.unfinished`);
  const replaced = replacedBy(target);
  const wanted = replaced?.mode ?? mode;
  const file = openSync(temporary, "wx", wanted);
  try {
    try {
      if (replaced !== undefined) keepOwner(file, replaced);
      // Set explicitly, because the umask would remove permissions that the old file had, or that were asked for.
      if ((wanted & 0o077) !== 0) fchmodSync(file, wanted & 0o7777);
      writeAll(file, typeof content === "string" ? Buffer.from(content, "utf8") : content);
      // Without this, a power cut (not a crash of the process) can lose the file. That is fine for data that can be
      // rebuilt.
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

interface WriteOptions {
  readonly mode?: number;
  readonly durable?: boolean;
  /** False: the path is in a folder that is held open, so no link is followed and no folder is created. */
  readonly follows?: boolean;
}

function replacedBy(target: string): Stats | undefined {
  const found = lstatSync(target, { throwIfNoEntry: false });
  return found?.isFile() === true ? found : undefined;
}

/** Keeps the owner when root edits another user's file. Other users can keep at most the group. */
function keepOwner(file: number, { uid, gid }: Stats): void {
  const now = fstatSync(file);
  if (now.uid === uid && now.gid === gid) return;
  try {
    fchownSync(file, uid, gid);
  } catch (error) {
    if (systemCode(error) !== "EPERM") throw error;
  }
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
}

/** Windows refuses to replace a file while another process, such as a virus scanner, has it open. */
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

/** Follows a link only to a regular file. If it leads to a device or a folder, the link itself is replaced. */
function followLink(path: string): string {
  try {
    const real = realpathSync.native(path);
    return statSync(real).isFile() ? real : path;
  } catch {
    return path; // the file does not exist yet, or it is a dangling link, which is then replaced
  }
}

function unlinkQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // The caller needs the reason for the failed write, not this one; `doctor` removes the file.
  }
}

/**
 * Creates a file with its whole content in one step; returns false if it exists already. A rename would replace a file
 * that was created after the check; a hard link cannot.
 */
export function createFileAtomic(
  path: string,
  content: string | Uint8Array,
  mode?: number,
  more: Pick<WriteOptions, "follows"> = {},
): boolean {
  const options = { ...more, ...(mode === undefined ? {} : { mode }) };
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}-${unique()}.unfinished`);
  writeFileAtomic(draft, content, options);
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    // Some file systems have no hard links: there, a check just before writing must be enough.
    if (existsSync(path)) return false;
    writeFileAtomic(path, content, options);
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
 * Appends whole lines to one of Continuo's files. A writer that died or ran out of disk may have left an incomplete line;
 * the next line must not be joined to it. Anything but a regular file is refused: writing to a pipe could block forever.
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
