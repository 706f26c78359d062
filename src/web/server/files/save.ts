import { lstatSync, type Stats } from "node:fs";
import { basename, dirname } from "node:path";
import { ContinuoError, systemCode } from "../../../base/errors.ts";
import { readAt, statFile } from "../../../store/read-file.ts";
import { writeFileAtomic } from "../../../store/write-file.ts";
import type { SavedFile, SaveFile } from "../../api/files.ts";
import { inFolder } from "./folder.ts";
import type { RootsWorld } from "./known-roots.ts";
import { withAllowed } from "./open-allowed.ts";
import { checksumOf, isProtected, lineEndOf, MARK, MAX_TEXT_BYTES, textOf, whyReadOnly } from "./read.ts";

/** The file has changed since it was read. */
export class FileChangedError extends ContinuoError {
  readonly checksums: { readonly edited: string; readonly now: string };

  constructor(path: string, edited: string, now: string) {
    const what = edited === "" ? "exists already" : "was changed by somebody else since it was opened";
    super("file-changed", `${path} ${what}`, { hint: "compare both versions, then save again" });
    this.checksums = { edited, now };
  }
}

/**
 * Replaces the text of a file that is unchanged since it was read. Keeps line ends, byte order mark and mode. Reads,
 * compares and writes synchronously, so that if two pages save at once, one of them gets `file-changed`.
 */
export function saveFile(web: RootsWorld, { path, text, checksum }: Required<SaveFile>): Promise<SavedFile> {
  return withAllowed(web, path, ({ descriptor, stats }, { real, root }) => {
    const isCut = stats.size > MAX_TEXT_BYTES;
    const before = readAt(descriptor, 0, Math.min(stats.size, MAX_TEXT_BYTES));
    const old = textOf(before);
    const lineEnd = lineEndOf(old ?? "");
    const why = whyReadOnly({
      isText: old !== undefined,
      isCut,
      lineEnd,
      isProtected: isProtected(stats.mode),
      isForeign: !root.isWritable,
    });
    if (why !== undefined) throw new ContinuoError("file-read-only", `${real} cannot be edited here: ${why}`);
    checkOwner(real, stats);
    const now = checksumOf(before);
    if (now !== checksum) throw new FileChangedError(real, checksum, now);
    const after = Buffer.from(asBefore(text, old ?? "", lineEnd === "crlf"), "utf8");
    if (after.length > MAX_TEXT_BYTES)
      throw new ContinuoError("file-too-large", "the text is larger than 2 MB", {
        hint: "edit it in your editor",
      });
    if (!after.equals(before)) write(real, after, stats);
    return {
      path: real,
      size: after.length,
      modified: statFile(real)?.modified ?? 0,
      checksum: checksumOf(after),
    };
  });
}

function asBefore(text: string, old: string, isCrlf: boolean): string {
  const lines = text.replaceAll("\r\n", "\n");
  return (old.startsWith(MARK) ? MARK : "") + (isCrlf ? lines.replaceAll("\n", "\r\n") : lines);
}

/** The file is replaced by a new one, which has no other hard links and belongs to this user. */
function checkOwner(real: string, { nlink, uid }: Stats): void {
  const user = process.getuid?.();
  const why =
    nlink > 1
      ? "it has several names (hard links), and saving would separate them"
      : user !== undefined && user !== 0 && user !== uid
        ? "it belongs to another user, and saving would make it yours"
        : undefined;
  if (why !== undefined)
    throw new ContinuoError("file-read-only", `${real} cannot be edited here: ${why}`, {
      hint: "edit it in your editor",
    });
}

function write(real: string, bytes: Uint8Array, opened: Stats): void {
  try {
    inFolder(dirname(real), (at) => {
      const path = at(basename(real));
      const now = lstatSync(path);
      if (now.ino !== opened.ino || now.dev !== opened.dev)
        throw new ContinuoError("file-changed-place", `${real} was replaced meanwhile`, {
          hint: "try again",
        });
      writeFileAtomic(path, bytes, { follows: false });
    });
  } catch (error) {
    throw inWords(error, real);
  }
}

/** Why the system refuses to write a file. */
export function inWords(error: unknown, real: string): unknown {
  const code = systemCode(error);
  if (code === "EACCES" || code === "EPERM" || code === "EROFS" || code === "folder-unwritable")
    return new ContinuoError("file-read-only", `this user may not write ${real}`, {
      hint: "the folder must be writable too",
      cause: error,
    });
  if (code === "ENOSPC" || code === "EDQUOT")
    return new ContinuoError("disk-full", `there is no space left for ${real}`, {
      hint: "free some space, then save again; nothing was changed",
      cause: error,
    });
  return error;
}
