import { existsSync } from "node:fs";
import { basename } from "node:path";
import { systemCode } from "../../../base/errors.ts";
import { wayInside } from "../../../base/inside.ts";
import type { Home } from "../../../store/home.ts";
import { readBytes } from "../../../store/read-file.ts";
import { moveToTrash, putBack, removeFromTrash, type Trashed } from "../../../store/trash.ts";
import { writeFileAtomic } from "../../../store/write-file.ts";
import { noteFailure } from "./failures.ts";
import { type Located, readLocated } from "./identify.ts";
import { checksumOf, MAX_NOTE_BYTES, readNoteText } from "./note.ts";
import type { MemoryRoot } from "./roots.ts";
import { assertInside, uriOf } from "./uri.ts";
import { type WriteContext, withRootLock } from "./with-lock.ts";

/** Moves a note to the trash. */
export async function discardNote(context: WriteContext, home: Home, note: Located): Promise<Trashed> {
  const name = await readLocated(note).then(
    ({ title }) => title,
    () => basename(note.path), // unreadable, but it can still be deleted
  );
  return withRootLock(context, note.root, () => {
    try {
      return moveToTrash(home, {
        kind: "note",
        name,
        path: note.path,
        within: note.root.path,
        at: context.now(),
      });
    } catch (error) {
      if (systemCode(error) === "ENOENT")
        throw noteFailure("note-not-found", `${note.uri} is gone`, "it was deleted already");
      throw error;
    }
  });
}

/** Restores a note from the trash. Does not replace a note that has its address by now. */
export async function bringBackNote(
  context: WriteContext,
  home: Home,
  roots: readonly MemoryRoot[],
  trashed: Trashed,
): Promise<Located> {
  const root = roots.find((one) => one.isWritable && wayInside(one.path, trashed.path));
  if (root === undefined)
    throw noteFailure(
      "note-path",
      `${trashed.path} is no longer in the notes folder`,
      `the deleted note is ${trashed.file}`,
    );
  await withRootLock(context, root, () =>
    trashed.kind === "edit" ? undoEdit(home, root, trashed) : putBack(home, trashed),
  );
  return { root, path: trashed.path, uri: uriOf(root, trashed.path) };
}

/** Restores the text from before an edit, if the note has not changed since. */
function undoEdit(home: Home, root: MemoryRoot, { id, path, file, after }: Trashed): void {
  assertInside(root, path);
  const text = existsSync(path) ? readNoteText(path)?.text : undefined;
  const now = text === undefined ? undefined : checksumOf(text);
  if (now !== after)
    throw noteFailure(
      "note-changed",
      `${uriOf(root, path)} ${now === undefined ? "is gone or unreadable" : "has changed since that edit"}`,
      `the text from before the edit is in ${file}`,
    );
  writeFileAtomic(path, readBytes(file, { maxBytes: MAX_NOTE_BYTES }));
  removeFromTrash(home, id);
}
