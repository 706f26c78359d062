import type { NoteAnswer, NoteDeleted } from "../../api/memory.ts";
import { noteAddress } from "../core/address.ts";
import { api } from "../core/api.ts";
import { dropDraft } from "../core/drafts.ts";
import { notify, notifyFailure } from "../core/notices.ts";
import { notePath } from "./addresses.ts";

/** Deletes a note and offers to restore it. */
export async function deleteNote(note: NoteAnswer, route: (address: string) => void): Promise<void> {
  try {
    const path = `${notePath(note.uri)}?checksum=${encodeURIComponent(note.checksum)}`;
    const { undo } = await api.delete<NoteDeleted>(path);
    dropDraft(note.uri);
    route("/memory");
    notify(`Deleted "${note.title}"`, undo === undefined ? {} : { undo: () => void restore(undo, route) });
  } catch (error) {
    notifyFailure("Could not delete the note", error);
  }
}

async function restore(undo: string, route: (address: string) => void): Promise<void> {
  try {
    const { uri } = await api.post<{ readonly uri: string }>("/notes/restore", { undo });
    route(noteAddress(uri));
  } catch (error) {
    notifyFailure("Could not restore the note", error);
  }
}
