import { readlinkSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { wayInside } from "../../../base/inside.ts";
import type { Edit } from "../../../moments/tool-use.ts";
import { realPath } from "../../../store/real-path.ts";

/**
 * Says of each edit where its file really is, if its path leads through a link. A repository could otherwise name a file so that
 * no pattern of the user's rules matches it.
 */
export function withRealPaths(edits: readonly Edit[], root: string): readonly Edit[] {
  const folders = new Map<string, string>();
  const realFolder = (folder: string): string => {
    const known = folders.get(folder) ?? realPath(folder);
    folders.set(folder, known);
    return known;
  };
  const realRoot = realFolder(root);
  return edits.map((edit) => {
    const path = resolve(root, edit.path);
    const folder = realFolder(dirname(path));
    const file = join(folder, basename(path));
    const real = isLink(file) ? realPath(file) : file;
    const realName = (wayInside(realRoot, real) ?? real).replaceAll("\\", "/");
    return realName === edit.path ? edit : { ...edit, realPath: realName };
  });
}

/** Cheaper than finding the real path of every file. */
function isLink(path: string): boolean {
  try {
    readlinkSync(path);
    return true;
  } catch {
    return false;
  }
}
