import { isSystemError } from "../../../base/errors.ts";
import type { Memory } from "../../../sources/memory/memory.ts";
import type { Edit } from "../../../sources/memory/notes/edit-note.ts";
import { MAX_NOTE_BYTES } from "../../../sources/memory/notes/note.ts";
import { findHome } from "../../../store/home.ts";
import { readBytes } from "../../../store/read-file.ts";
import { keepBeforeEdit } from "../../../store/trash.ts";
import type { Input } from "../../command.ts";

/** Edits a note and keeps its text from before; `id` is undefined if that could not be kept. */
export async function undoableEdit(
  input: Input,
  memory: Memory,
  identifier: string,
  edit: Edit,
  checksum: string | undefined,
) {
  const { uri, title, path, problems, ...note } = await memory.peek(identifier);
  const bytes =
    problems.length > 0 ? undefined : orNothing(() => readBytes(path, { maxBytes: MAX_NOTE_BYTES }));
  // The kept text must be the one that is edited.
  const known = checksum ?? (bytes === undefined ? undefined : note.checksum);
  const edited = await memory.edit(uri, edit, known === undefined ? {} : { checksum: known });
  if (bytes === undefined) return { edited, id: undefined };
  const within = memory.locate(uri).root.path;
  const about = { kind: "edit", name: title, path, within, at: input.now(), after: edited.checksum } as const;
  const kept = orNothing(() => keepBeforeEdit(findHome(input.env), about, bytes));
  return { edited, id: kept?.id };
}

/** The edit counts, and not whether it can be undone. */
function orNothing<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}
