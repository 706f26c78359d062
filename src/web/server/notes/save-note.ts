import { describeError } from "../../../base/errors.ts";
import { checksumOf, readNoteText } from "../../../sources/notes/files/note.ts";
import type { Memory } from "../../../sources/notes/memory.ts";
import type { NoteChanged, NoteConflict } from "../../api/notes.ts";

/**
 * Saves the whole text. If the note changed since it was read, returns its current text, so that the user can choose.
 */
export async function saveNote(
  memory: Memory,
  uri: string,
  { text, checksum }: { readonly text: string; readonly checksum: string },
): Promise<NoteChanged | NoteConflict> {
  try {
    const saved = await memory.edit(uri, { operation: "replace_text", content: text }, { checksum });
    const now = readNoteText(saved.path);
    return { uri: saved.uri, checksum: saved.checksum, ...(now === undefined ? {} : { text: now.text }) };
  } catch (error) {
    const { code, message, hint } = describeError(error);
    const now = code === "note-changed" ? readNoteText(memory.locate(uri).path) : undefined;
    if (now === undefined) throw error;
    return {
      error: { code, message, hint },
      current: { text: now.text, checksum: checksumOf(now.text), modified: now.modified },
    };
  }
}
