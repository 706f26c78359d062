import { basename, dirname, join } from "node:path";
import type { Repository } from "../../../git/repository.ts";
import type { Shown } from "../follow/watch-shown.ts";

/** Of a larger repository only folders near its root are watched; other changes are seen when the page asks again. */
export const MOST_FOLDERS = 200;
/** A commit and a staged file change the index, a checkout changes HEAD. */
const OF_GIT: ReadonlySet<string> = new Set(["index", "HEAD"]);

/**
 * What can change a diff: the folders that contain the repository's files, and git's own records. `names`: the files,
 * known to git or new, relative to the repository.
 */
export function followedBy(
  repository: Repository,
  { real, isFolder, names }: { real: string; isFolder: boolean; names: readonly string[] },
): Shown {
  const shown = new Map<string, ReadonlySet<string> | undefined>([[repository.gitDir, OF_GIT]]);
  if (!isFolder) return shown.set(dirname(real), new Set([basename(real)]));
  const folders = new Set<string>();
  for (const name of names)
    for (let at = dirname(name); at !== "." && !folders.has(at); at = dirname(at)) folders.add(at);
  const depth = (folder: string): number => folder.split("/").length;
  shown.set(real, undefined);
  for (const folder of [...folders].sort((a, b) => depth(a) - depth(b))) {
    const path = join(repository.root, folder);
    if (shown.size < MOST_FOLDERS && path.startsWith(real)) shown.set(path, undefined);
  }
  return shown;
}
