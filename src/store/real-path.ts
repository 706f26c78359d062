import { realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** A path with its links resolved as far as it exists: its last parts may be missing. */
export function realPath(path: string): string {
  const missing: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    try {
      return join(realpathSync.native(at), ...missing.reverse());
    } catch {
      if (dirname(at) === at) return path;
      missing.push(basename(at));
    }
  }
}
