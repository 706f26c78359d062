import { statSync } from "node:fs";
import { ContinuoError } from "../../../base/errors.ts";
import { unique } from "../../../base/fingerprint.ts";
import type { Located } from "../../../sources/memory/notes/identify.ts";
import type { DeletedNote } from "../../../sources/memory/notes/move-delete.ts";
import { MAX_NOTE_BYTES } from "../../../sources/memory/notes/note.ts";
import { isRefused, readBytes } from "../../../store/read-file.ts";

/** Notes deleted in the page, while the server runs: so that a deletion can be undone. */
export interface DeletedNotes {
  /** To be called before the note is deleted; undefined if it is too large to keep. */
  copy(note: Located): DeletedNote | undefined;
  /** Returns the name that an undo gives. */
  keep(note: DeletedNote): string;
  find(undo: string): DeletedNote;
  forget(undo: string): void;
}

const MOST = 50;

export function deletedNotes(): DeletedNotes {
  const kept = new Map<string, DeletedNote>();
  return {
    copy(note) {
      try {
        const bytes = readBytes(note.path, { maxBytes: MAX_NOTE_BYTES });
        return { ...note, bytes, mode: statSync(note.path).mode & 0o777 };
      } catch (error) {
        if (isRefused(error)) return undefined;
        throw error;
      }
    },
    keep(note) {
      const undo = unique();
      kept.set(undo, note);
      for (const old of [...kept.keys()].slice(0, -MOST)) kept.delete(old);
      return undo;
    },
    find(undo) {
      const note = kept.get(undo);
      if (note !== undefined) return note;
      throw new ContinuoError("note-not-found", "this deletion cannot be undone any more", {
        hint: "deleted notes are kept while continuo web runs, the last 50",
      });
    },
    forget: (undo) => void kept.delete(undo),
  };
}
