import type { Dirent } from "node:fs";
import type { Note } from "../notes/note.ts";
import { type NoteText, readNoteText } from "../notes/note-text.ts";
import { readNote } from "../notes/read-note.ts";
import type { MemoryRoot } from "../notes/root.ts";
import { uriOf } from "../notes/uri.ts";
import { entriesOf } from "../notes/walk.ts";

/** What the index needs of a memory root: its notes are files, and how to read one is not the index's business. */
export interface NoteFiles {
  /** Absolute. */
  readonly root: string;
  /** What of a folder may be a note, or hold notes. */
  entries(folder: string): readonly Dirent[];
  isNote(name: string): boolean;
  uriOf(path: string): string;
  /** undefined when the file is gone. */
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
    read: (path) => readNote(root, path),
    readText: readNoteText,
  };
}
