import { type Dirent, type Stats, statSync } from "node:fs";
import { systemCode } from "../../../base/errors.ts";
import { maskSecrets, redact } from "../../../store/redact.ts";
import { entriesOf } from "../notes/list-notes.ts";
import { checksumOf, type Note, type NoteText, parseNote, readNoteText } from "../notes/note.ts";
import type { MemoryRoot } from "../notes/roots.ts";
import { uriOf } from "../notes/uri.ts";

/** What the index needs of a memory root: its notes are files, and how to read one is not the index's business. */
export interface NoteFiles {
  /** Absolute. */
  readonly root: string;
  /** What of a folder may be a note, or hold notes. */
  entries(folder: string): readonly Dirent[];
  isNote(name: string): boolean;
  uriOf(path: string): string;
  /** Without its secrets, which stay out of all that is derived. undefined when the file is gone. */
  read(path: string): Promise<Note | undefined>;
  /** The same file, not yet understood: its text and which state of it that is. */
  readText(path: string): NoteText | undefined;
}

export function noteFilesOf(root: MemoryRoot): NoteFiles {
  return {
    root: root.path,
    entries: entriesOf,
    isNote: (name) => /\.md$/i.test(name),
    uriOf: (path) => uriOf(root, path),
    read: (path) => readMasked(root, path),
    readText: readNoteText,
  };
}

/** The passages of a masked text are those of the file: a snippet is cut from the file itself. */
async function readMasked(root: MemoryRoot, path: string): Promise<Note | undefined> {
  const read = readNoteText(path);
  if (read === undefined) return undefined;
  const place = { uri: uriOf(root, path), path };
  const text = maskSecrets(read.text);
  const note = await parseNote({ ...read, text }, place);
  if (text === read.text) return note;
  // Titles are shown, and the checksum is that of the file.
  const { title } = await parseNote(read, place);
  return { ...note, title: redact(title), checksum: checksumOf(read.text) };
}

/**
 * A file or folder as it is now. What is closed to us, or on a disk that does not answer, is not gone: what is indexed of it
 * stays, and the rest of the root is looked at all the same.
 */
export function lookAt(path: string): Stats | "gone" | "closed" {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? "gone";
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    return code === "ELOOP" ? "gone" : "closed";
  }
}
