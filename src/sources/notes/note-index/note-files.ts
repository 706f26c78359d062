import { type Dirent, type Stats, statSync } from "node:fs";
import { systemCode } from "../../../base/errors.ts";
import { maskSecrets, redact } from "../../../store/redact.ts";
import { entriesOf } from "../files/list-notes.ts";
import { checksumOf, type Note, type NoteText, parseNote, readNoteText } from "../files/note.ts";
import type { MemoryRoot } from "../files/roots.ts";
import { uriOf } from "../files/uri.ts";

/** How the index accesses the files of a notes folder. */
export interface NoteFiles {
  /** Absolute. */
  readonly root: string;
  /** The files and folders in a folder that may be notes or contain notes. */
  entries(folder: string): readonly Dirent[];
  isNote(name: string): boolean;
  uriOf(path: string): string;
  /** Without secrets, which must not get into the index. undefined if the file does not exist. */
  read(path: string): Promise<Note | undefined>;
  /** The unparsed text of the file, with its size and time. */
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

/** Masking keeps all offsets, so that snippets can be cut from the file itself. */
async function readMasked(root: MemoryRoot, path: string): Promise<Note | undefined> {
  const read = readNoteText(path);
  if (read === undefined) return undefined;
  const place = { uri: uriOf(root, path), path };
  const text = maskSecrets(read.text);
  const note = await parseNote({ ...read, text }, place);
  if (text === read.text) return note;
  // Titles are shown to users, so they are redacted rather than masked. The checksum is the file's.
  const { title } = await parseNote(read, place);
  return { ...note, title: redact(title), checksum: checksumOf(read.text) };
}

/**
 * The current state of a file or folder. A file that may not be read, or whose disk does not answer, is not missing:
 * its index entries stay, and the sync continues with the rest of the root.
 */
export function fileState(path: string): Stats | "missing" | "unreadable" {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? "missing";
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    return code === "ELOOP" ? "missing" : "unreadable";
  }
}
