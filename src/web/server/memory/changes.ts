import { describeError } from "../../../base/errors.ts";
import type { Memory } from "../../../sources/memory/memory.ts";
import { stampAt } from "../../../sources/memory/note-project.ts";
import { noteFailure } from "../../../sources/memory/notes/failures.ts";
import { checksumOf, readNoteText } from "../../../sources/memory/notes/note.ts";
import type { NoteChanged, NoteConflict, NoteDeleted } from "../../api/memory.ts";
import type { Web } from "../web.ts";
import type { DeletedNotes } from "./deleted.ts";

export async function writeNote(
  web: Web,
  memory: Memory,
  given: {
    readonly title: string;
    readonly content: string;
    readonly folder?: string | undefined;
    readonly tags?: readonly string[] | undefined;
    readonly project?: string | undefined;
  },
): Promise<NoteChanged> {
  const { title, content, folder, tags, project } = given;
  const { uri, checksum } = await memory.write({
    title,
    content,
    ...stampAt(web, project),
    ...(folder ? { folder } : {}),
    tags,
  });
  return { uri, checksum };
}

/** Saves the whole text. If the note changed since it was read: the text as it is now, for a choice. */
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

export async function deleteNote(
  memory: Memory,
  deleted: DeletedNotes,
  identifier: string,
  checksum: string | undefined,
): Promise<NoteDeleted> {
  const located = memory.locate(identifier);
  if (checksum !== undefined && checksum !== checksumOf(readNoteText(located.path)?.text ?? ""))
    throw noteFailure(
      "note-changed",
      `${located.uri} has changed since it was read`,
      "open it again; nothing was deleted",
    );
  const copy = deleted.copy(located);
  const { uri } = await memory.delete(located.uri, true);
  return { uri, ...(copy === undefined ? {} : { undo: deleted.keep(copy) }) };
}
