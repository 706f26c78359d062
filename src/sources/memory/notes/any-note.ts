import { join } from "node:path";
import { entriesOf } from "./list-notes.ts";
import type { MemoryRoot } from "./roots.ts";

/** A root with this many folders and no note in the first of them is taken to have one: this is asked at every start. */
const MAX_FOLDERS = 200;

/** Whether there is a note in any of the roots. No file is opened. */
export function hasAnyNote(roots: readonly MemoryRoot[]): boolean {
  const open = roots.map(({ path }) => path);
  for (let looked = 0; open.length > 0; looked++) {
    if (looked === MAX_FOLDERS) return true;
    const folder = open.shift() ?? "";
    for (const entry of entriesOf(folder)) {
      if (entry.isDirectory()) open.push(join(folder, entry.name));
      else if (/\.md$/i.test(entry.name)) return true;
    }
  }
  return false;
}
