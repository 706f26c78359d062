import type { Dirent } from "node:fs";
import type { Note } from "../notes/note.ts";

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
}
