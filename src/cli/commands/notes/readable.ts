import { noteFailure } from "../../../sources/memory/notes/failures.ts";
import type { Note } from "../../../sources/memory/notes/note.ts";

/** A note of which nothing can be shown is an error, not an empty text. */
export function assertReadable(note: Note): Note {
  const [problem] = note.problems;
  if (note.body !== "" || note.size === 0 || problem === undefined) return note;
  throw noteFailure(
    "note-unreadable",
    `${note.uri} cannot be shown: ${problem}`,
    `look at the file: ${note.path}`,
  );
}
