import { existsSync, lstatSync, readlinkSync, rmSync, statSync } from "node:fs";
import { ContinuoError, describeError, systemCode } from "../../../base/errors.ts";
import { readBytes } from "../../../store/read-file.ts";
import { writeFileAtomic } from "../../../store/write-file.ts";

/** A host's settings on disk. Anything unusual is refused with a reason, before anything is changed. */

/** Claude Code's `.claude.json` grows to a few megabytes. A larger file is not a settings file. */
const MAX_BYTES = 64 * 1024 * 1024;

/** undefined if the file does not exist. */
export function readSettingsFile(file: string): string | undefined {
  let bytes: Uint8Array;
  try {
    bytes = readBytes(file, { maxBytes: MAX_BYTES });
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    if (systemCode(error) === "too-large")
      throw new ContinuoError(
        "settings-too-large",
        `${describeError(error).message}, the most for settings`,
        {
          hint: "check the file first; nothing was changed",
        },
      );
    const why = systemCode(error) === "not-a-file" ? "it is not a regular file" : describeError(error).code;
    throw new ContinuoError("settings-unreadable", `${file} cannot be read (${why})`, {
      hint: "make it a readable file; nothing was changed",
      cause: error,
    });
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ContinuoError("settings-not-utf8", `${file} is not UTF-8 text`, {
      hint: "save it as UTF-8; nothing was changed",
    });
  }
}

/** Replacing a file needs no write permission on it, but a user who removed that permission did so on purpose. */
export function refuseReadOnly(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined || (found.mode & 0o222) !== 0) return;
  throw new ContinuoError("settings-read-only", `${file} is read-only`, {
    hint: "make it writable first; nothing was changed",
  });
}

/**
 * Refuses a dangling link, for example to a disk that is not mounted: writing would replace the link by a plain file.
 */
export function refuseDanglingLink(file: string): void {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found?.isSymbolicLink() !== true || existsSync(file)) return;
  throw new ContinuoError(
    "settings-dangling",
    `${file} is a link to ${readlinkSync(file)}, which does not exist`,
    {
      hint: "create that file or remove the link; nothing was changed",
    },
  );
}

/** undefined removes the file. */
export function writeSettingsFile(file: string, text: string | undefined): void {
  try {
    if (text === undefined) rmSync(file, { force: true });
    else writeFileAtomic(file, text);
  } catch (error) {
    throw unwritable(file, error);
  }
}

export function unwritable(file: string, cause: unknown): ContinuoError {
  return new ContinuoError(
    "settings-unwritable",
    `${file} cannot be written (${describeError(cause).code})`,
    { hint: "make it and its folder writable, then run the command again", cause },
  );
}

const MARK = "\ufeff";

/** Editors on Windows write a byte order mark. It is not part of the settings, and is preserved. */
export function keepingMark(text: string, edit: (bare: string) => string): string {
  return text.startsWith(MARK) ? MARK + edit(text.slice(1)) : edit(text);
}

export function withoutMark(text: string): string {
  return text.startsWith(MARK) ? text.slice(1) : text;
}
