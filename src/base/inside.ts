import { isAbsolute, relative, sep } from "node:path";

/** The relative path from a folder to a path in it: empty for the folder itself, undefined for a path outside. */
export function wayInside(folder: string, path: string): string | undefined {
  const way = relative(folder, path);
  // On Windows, the relative path to another drive is absolute.
  return way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way) ? undefined : way;
}
