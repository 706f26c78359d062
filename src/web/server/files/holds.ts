import { isAbsolute, relative, sep } from "node:path";

/** Whether a path is below a folder. Both are real paths; the folder itself is not below itself. */
export function holds(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
