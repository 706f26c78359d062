import { basename, dirname, join } from "node:path";
import type { Repository } from "../../../git/repository.ts";
import type { Shown } from "../follow/watch-shown.ts";

/** A larger repository is followed near its root; what is missed is seen when the page asks again. */
export const MOST_FOLDERS = 200;
/** A commit and a staged file change the index, a checkout HEAD. */
const OF_GIT: ReadonlySet<string> = new Set(["index", "HEAD"]);

/**
 * What changes a diff: the folders with files of the repository, and git's own records. `names` are the files, known to git
 * or new, relative to the repository.
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
