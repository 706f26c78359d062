import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { noteFailure } from "./failures.ts";
import type { NoteFile } from "./note.ts";
import type { MemoryRoot } from "./root.ts";
import { folderBelow, safeSegments } from "./uri.ts";
import { entriesOf, walkNotes } from "./walk.ts";

export interface Listing {
  readonly folders: readonly { readonly name: string; readonly notes: number }[];
  readonly notes: readonly NoteFile[];
}

/** What lies in a folder of a root: its notes, and its folders with how many notes are in and below them. */
export function listNotes(root: MemoryRoot, folder = ""): Listing {
  const path = folderBelow(root, /^[/\\.]?$/.test(folder) ? [] : safeSegments(folder));
  if (path !== root.path && statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw noteFailure("note-not-found", `there is no folder "${folder}"`, "list the folder above it");
  }
  const counts = new Map<string, number>();
  for (const entry of entriesOf(path)) if (entry.isDirectory()) counts.set(entry.name, 0);
  const notes: NoteFile[] = [];
  for (const note of walkNotes(root, path)) {
    if (dirname(note.path) === path) {
      notes.push(note);
      continue;
    }
    const name = note.path.slice(join(path, "x").length - 1).split(/[/\\]/)[0] ?? "";
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return { folders: [...counts].map(([name, count]) => ({ name, notes: count })), notes };
}
