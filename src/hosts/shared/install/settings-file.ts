import { rmSync, statSync } from "node:fs";
import { ContinuoError, describeError, systemCode } from "../../../base/errors.ts";
import { readBytes } from "../../../store/read-file.ts";
import { writeFileAtomic } from "../../../store/write-file.ts";

/** A host's settings on disk. What is odd is refused with the reason, before anything is changed. */

/** Claude Code's file of everything grows to some megabytes; past this, something else is the matter. */
const MAX_BYTES = 64 * 1024 * 1024;

/** undefined: there is no such file. */
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
          hint: "look into it first; nothing was changed",
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

/** Replacing a file needs no right to write it: whoever took that right away meant it, though. */
export function refuseReadOnly(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined || (found.mode & 0o222) !== 0) return;
  throw new ContinuoError("settings-read-only", `${file} is read-only`, {
    hint: "make it writable first; nothing was changed",
  });
}

/** undefined: the file goes. */
export function writeSettingsFile(file: string, text: string | undefined): void {
  try {
    if (text === undefined) rmSync(file, { force: true });
    else writeFileAtomic(file, text);
  } catch (error) {
    throw new ContinuoError(
      "settings-unwritable",
      `${file} cannot be written (${describeError(error).code})`,
      {
        hint: "make it and its folder writable, then run the command again",
        cause: error,
      },
    );
  }
}

const MARK = "\ufeff";

/** Editors on Windows put a byte order mark before the text: it is no part of the settings, and stays where it was. */
export function keepingMark(text: string, edit: (bare: string) => string): string {
  return text.startsWith(MARK) ? MARK + edit(text.slice(1)) : edit(text);
}

export function withoutMark(text: string): string {
  return text.startsWith(MARK) ? text.slice(1) : text;
}
