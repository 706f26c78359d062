import { wayInside } from "../../../base/inside.ts";

/** Whether a path is below a folder. Both are real paths; the folder itself is not below itself. */
export function holds(folder: string, path: string): boolean {
  return Boolean(wayInside(folder, path));
}
