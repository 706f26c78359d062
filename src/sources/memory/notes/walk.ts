import { type Dirent, readdirSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "../../../base/errors.ts";
import type { NoteFile } from "./note.ts";
import type { MemoryRoot } from "./root.ts";
import { uriOf } from "./uri.ts";

/**
 * The notes of a root, folder by folder, in the order of their names; one at a time, so that whoever must not keep a host
 * waiting can pause in between. Links are not followed: what they lead to inside the root is walked anyway, and what lies
 * outside is not ours. Folders and files with a dot (`.obsidian`, `.trash`, `.git`) are not notes.
 */
export function* walkNotes(root: MemoryRoot, folder: string = root.path): Generator<NoteFile> {
  // A list instead of recursion: each level of `yield*` would cost every file below it.
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

/** What of a folder a walk looks at: visible folders and regular files, in a fixed order. */
export function entriesOf(folder: string): Dirent[] {
  return readEntries(folder)
    .filter(({ name }) => !name.startsWith(".") && name !== "node_modules")
    .filter((entry) => entry.isDirectory() || entry.isFile())
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** undefined when the file vanished since its folder was read, or is closed to us. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function readEntries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    // Not made yet, vanished meanwhile, replaced by a file, or closed to us: there is nothing to see.
    if (/^(ENOENT|ENOTDIR|EACCES|EPERM|ELOOP)$/.test(systemCode(error) ?? "")) return [];
    throw error;
  }
}
