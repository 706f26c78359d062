import { type Dirent, readdirSync, type Stats, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { systemCode } from "../../../base/errors.ts";
import { noteFailure } from "./failures.ts";
import type { NoteFile } from "./note.ts";
import type { MemoryRoot } from "./roots.ts";
import { folderBelow, safeSegments, uriOf } from "./uri.ts";

/**
 * The notes of a root, folder by folder, by name. A generator, so that a caller with a deadline can stop in between.
 * Does not follow symbolic links: targets inside the root are visited anyway, and targets outside do not belong to it.
 * Skips files and folders that begin with a dot (`.obsidian`, `.trash`, `.git`).
 */
export function* walkNotes(root: MemoryRoot, folder: string = root.path): Generator<NoteFile> {
  // A stack instead of recursion: each level of `yield*` would slow down every file below it.
  const open = [folder];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const folders: string[] = [];
    for (const entry of entriesOf(path)) {
      const inside = join(path, entry.name);
      if (entry.isDirectory()) folders.push(inside);
      else if (/\.md$/i.test(entry.name)) {
        const stats = statOf(inside);
        if (stats === undefined) continue;
        yield { uri: uriOf(root, inside), path: inside, size: stats.size, modified: stats.mtimeMs };
      }
    }
    open.push(...folders.reverse());
  }
}

/** The visible folders and regular files in a folder, in a fixed order. */
export function entriesOf(folder: string): Dirent[] {
  return readEntries(folder)
    .filter(({ name }) => !name.startsWith(".") && name !== "node_modules")
    .filter((entry) => entry.isDirectory() || entry.isFile())
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** undefined if the file was deleted after its folder was read, or may not be read. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // no permission to search its folder
  }
}

function readEntries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    // It does not exist (any more), is a file, or may not be read: there are no entries.
    if (/^(ENOENT|ENOTDIR|EACCES|EPERM|ELOOP)$/.test(systemCode(error) ?? "")) return [];
    throw error;
  }
}

export interface Listing {
  readonly folders: readonly { readonly name: string; readonly notes: number }[];
  readonly notes: readonly NoteFile[];
}

/** The notes in a folder of a root, and its subfolders with the number of notes in and below each. */
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
