import { writeFileAtomic } from "../../../store/atomic-file.ts";
import { redact } from "../../../store/redact.ts";
import { checksumOf } from "./checksum.ts";
import { type Edit, editText } from "./edit-text.ts";
import { noteFailure } from "./failures.ts";
import { assertLeadsSomewhere, assertLinked, assertNoneBanned } from "./guard.ts";
import type { Located } from "./identify.ts";
import { type NoteText, readNoteText } from "./note-text.ts";
import { assertReadable } from "./size.ts";
import { type Desk, underLock } from "./under-lock.ts";

export interface EditOptions {
  /** What the note's checksum was when it was read: an edit of anything else is refused. */
  readonly checksum?: string;
  /** For what a model wrote: secrets in it are replaced. */
  readonly redacted?: boolean;
}

/** Changes a note in place. What another program wrote meanwhile is kept. */
export function editNote(
  desk: Desk,
  { root, path, uri }: Located,
  edit: Edit,
  { checksum, redacted = false }: EditOptions = {},
): Promise<{ readonly uri: string; readonly path: string; readonly checksum: string }> {
  return underLock(desk, root, () => {
    const change = redacted ? { ...edit, content: redact(edit.content) } : edit;
    // A word may be mended by one that links nowhere, as long as the note still does.
    const isMending = change.operation === "find_replace";
    if (isMending) assertNoneBanned(root, change.content);
    else assertLinked(root, change.content);
    for (let attempt = 0; attempt < 5; attempt++) {
      const before = readEditable(path, uri);
      const actual = checksumOf(before.text);
      if (checksum !== undefined && checksum !== actual) {
        throw noteFailure(
          "note-changed",
          `${uri} was changed since it was read: its checksum is ${actual}`,
          "read it again, look at what changed, and edit that",
        );
      }
      const text = editText(before.text, change, desk.now());
      if (isMending) assertLeadsSomewhere(text);
      assertReadable(text);
      // An editor knows nothing of our lock: what it saved meanwhile is what must be edited.
      if (readEditable(path, uri).text !== before.text) continue;
      writeFileAtomic(path, (before.hasMark ? "\ufeff" : "") + text);
      return { uri, path, checksum: checksumOf(text) };
    }
    throw noteFailure("note-changed", `${uri} keeps changing`, "wait until the other program is done");
  });
}

function readEditable(path: string, uri: string): NoteText {
  const read = readNoteText(path);
  if (read === undefined) throw noteFailure("note-not-found", `${uri} is gone`, "write it anew");
  if (read.problem !== undefined) {
    throw noteFailure(
      "note-unreadable",
      `${uri} cannot be edited: ${read.problem}`,
      "change it with an editor",
    );
  }
  return read;
}
