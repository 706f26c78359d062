import { removePrepared } from "../../store/prepared.ts";
import type { Trashed } from "../../store/trash.ts";
import { type Edit, type EditOptions, editNote } from "./files/edit-note.ts";
import { noteFailure } from "./files/failures.ts";
import type { Located } from "./files/identify.ts";
import { deleteNote, moveNote } from "./files/move-delete.ts";
import { type NewNote, type Written, writeNote } from "./files/write-note.ts";
import type { Workspace } from "./workspace.ts";

/** Operations that change note files; each change is indexed at once. */
export function writing({ home, now, roots, reads, located, refresh, record }: Workspace) {
  const context = { locks: home.locks, now };

  /** Deletes prepared starts, because one made with the note would show it again. */
  const removed = async ({ root, path }: Located): Promise<void> => {
    removePrepared(home.root, "memory");
    await refresh(root, [path]);
  };

  return {
    async write(note: NewNote): Promise<Written> {
      const [main] = roots;
      if (main === undefined) throw noteFailure("note-path", "there is no notes folder", "set memory.root");
      const written = await writeNote(context, main, note);
      await refresh(main, [written.path]);
      return written;
    },
    edit: (identifier: string, edit: Edit, edits?: EditOptions) =>
      located(identifier, async (found) => {
        const edited = await editNote(context, found, edit, edits);
        await refresh(found.root, [found.path]);
        return edited;
      }),
    move: (identifier: string, destination: string) =>
      located(identifier, async (found) => {
        const moved = await moveNote(context, found, destination);
        await refresh(found.root, [found.path, moved.path]);
        await reads.recordMove(moved.from, moved.uri).catch((error: unknown) => record(error));
        return moved;
      }),
    delete: (identifier: string, confirm: boolean): Promise<{ readonly uri: string }> =>
      located(identifier, async (found) => {
        await deleteNote(context, found, confirm);
        await removed(found);
        return { uri: found.uri };
      }),
    /** Moves a note to the trash. */
    discard: (identifier: string): Promise<{ readonly uri: string; readonly trashed: Trashed }> =>
      located(identifier, async (found) => {
        const { discardNote } = await import("./files/trash-note.ts");
        const trashed = await discardNote(context, home, found);
        await removed(found);
        return { uri: found.uri, trashed };
      }),
    /** Restores a note from the trash. */
    async bringBack(trashed: Trashed): Promise<{ readonly uri: string; readonly path: string }> {
      const { bringBackNote } = await import("./files/trash-note.ts");
      const { root, path, uri } = await bringBackNote(context, home, roots, trashed);
      await refresh(root, [path]);
      return { uri, path };
    },
  };
}
