import { join, sep } from "node:path";
import { isSystemError } from "../../../base/errors.ts";
import { entriesOf } from "../../../sources/notes/files/list-notes.ts";
import { type FolderWatch, type WatchOptions, watchFolder } from "./watch-folder.ts";

/** Of a larger tree only a part is watched; other changes are seen when the page asks. */
const MOST_FOLDERS = 200;

/** Watches a folder and its subfolders that contain notes. Node's own recursive watch would look at every file. */
export function watchTree(root: string, options: WatchOptions): FolderWatch {
  const watches = new Map<string, FolderWatch>();
  const add = (folder: string): void => {
    if (watches.has(folder) || watches.size >= MOST_FOLDERS) return;
    const onChange = (names: ReadonlySet<string> | undefined): void => {
      update(folder);
      options.onChange(names);
    };
    watches.set(folder, watchFolder(folder, { ...options, onChange }));
    update(folder);
  };
  const update = (folder: string): void => {
    const inside = foldersIn(folder);
    for (const path of [...watches.keys()])
      if (path.startsWith(folder + sep) && !inside.some((one) => path === one || path.startsWith(one + sep)))
        remove(path);
    for (const inner of inside) add(inner);
  };
  const remove = (path: string): void => {
    watches.get(path)?.close();
    watches.delete(path);
  };
  add(root);
  return {
    close() {
      for (const path of [...watches.keys()]) remove(path);
    },
  };
}

function foldersIn(folder: string): string[] {
  try {
    return entriesOf(folder)
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(folder, name));
  } catch (error) {
    if (isSystemError(error)) return []; // not there yet, or not accessible
    throw error;
  }
}
