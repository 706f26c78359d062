import { isAbsolute, relative, sep } from "node:path";

/** The way from a folder to a path in it: empty for the folder itself, undefined for a path that is not in it. */
export function wayInside(folder: string, path: string): string | undefined {
  const way = relative(folder, path);
  // On Windows a path on another drive is absolute.
  return way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way) ? undefined : way;
}
