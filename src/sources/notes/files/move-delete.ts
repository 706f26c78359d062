import { existsSync, linkSync, renameSync, unlinkSync } from "node:fs";
import { basename, dirname } from "node:path";
import { systemCode } from "../../../base/errors.ts";
import { slugify } from "../../../base/slug.ts";
import { ensureFolder } from "../../../store/folder.ts";
import { noteFailure } from "./failures.ts";
import { assertNameable } from "./file-name.ts";
import type { Located } from "./identify.ts";
import { parseUri, pathBelow, SCHEME, safeSegments, uriOf } from "./uri.ts";
import { type WriteContext, withRootLock } from "./with-lock.ts";

/**
 * Moves a note to another address. The destination is a path or an address; its last part becomes a file name in the
 * same way as a title. With a trailing slash it is a folder. The note's text stays the same.
 */
export function moveNote(
  context: WriteContext,
  from: Located,
  destination: string,
): Promise<{ readonly uri: string; readonly path: string; readonly from: string }> {
  return withRootLock(context, from.root, () => {
    const path = pathBelow(from.root, target(from, destination.trim()));
    // Otherwise the error below would suggest deleting the note at the destination, which is this very note.
    if (path === from.path)
      throw noteFailure("note-exists", `${from.uri} already has this address`, "choose another destination");
    ensureFolder(dirname(path));
    if (existsSync(path) || !linkOrRename(from.path, path)) {
      throw noteFailure(
        "note-exists",
        `there is already a note ${uriOf(from.root, path)}`,
        "choose another destination, or delete that note first",
      );
    }
    return { uri: uriOf(from.root, path), path, from: from.uri };
  });
}

function target(from: Located, destination: string): string[] {
  const isFolder = /[/\\]$/.test(destination);
  const segments = destination.startsWith(SCHEME)
    ? parseUri(destination, [from.root]).segments
    : safeSegments(destination);
  const last = isFolder ? basename(from.path) : `${slugify((segments.pop() ?? "").replace(/\.md$/i, ""))}.md`;
  assertNameable([...segments, last]);
  return [...segments, last];
}

/**
 * Unlike a rename, a link never replaces a file. On file systems without hard links, the check before the rename must
 * be enough.
 */
function linkOrRename(from: string, to: string): boolean {
  try {
    linkSync(from, to);
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    if (systemCode(error) === "ENOENT")
      throw noteFailure("note-not-found", `${from} is gone`, "list its folder");
    renameSync(from, to);
    return true;
  }
  unlinkSync(from);
  return true;
}

/** Deletes a note permanently, if that was confirmed. */
export async function deleteNote(context: WriteContext, note: Located, confirm: boolean): Promise<void> {
  if (!confirm) {
    throw noteFailure(
      "note-unconfirmed",
      `${note.uri} was not deleted`,
      "set confirm to true to delete it permanently",
    );
  }
  await withRootLock(context, note.root, () => {
    try {
      unlinkSync(note.path);
    } catch (error) {
      if (systemCode(error) === "ENOENT")
        throw noteFailure("note-not-found", `${note.uri} is gone`, "it was deleted already");
      throw error;
    }
  });
}
