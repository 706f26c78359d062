import { readlinkSync } from "node:fs";
import { ContinuoError, systemCode } from "../../../base/errors.ts";
import { isRefused, type OpenFile, withFile } from "../../../store/read-file.ts";
import type { RootsWorld } from "./known-roots.ts";
import { type AllowedPath, allowedPath } from "./roots.ts";

/**
 * Opens a file that the page may read. Its path was checked just before; on Linux the open file itself is checked too,
 * because a parent folder may have become a link in between.
 */
export async function withAllowed<T>(
  web: RootsWorld,
  path: string,
  work: (file: OpenFile, allowed: AllowedPath) => T,
): Promise<T> {
  const allowed = await allowedPath(web, path);
  const { real, root } = allowed;
  try {
    return withFile(
      real,
      (file) => {
        if (openedPath(file.descriptor) !== real && process.platform === "linux")
          throw new ContinuoError("file-changed-place", `${real} was replaced while it was opened`, {
            hint: "try again",
          });
        return work(file, allowed);
      },
      { root: root.path },
    );
  } catch (error) {
    throw describe(error, real);
  }
}

/** The path of an open file; undefined if the system does not tell. */
export function openedPath(descriptor: number): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return undefined; // no /proc
  }
}

/** Failures that the user can cause, in words. */
function describe(error: unknown, real: string): unknown {
  const code = systemCode(error);
  if (isRefused(error)) return new ContinuoError("not-a-file", `${real} is not a regular file`);
  if (code === "ENOENT" || code === "ENOTDIR")
    return new ContinuoError("no-such-file", `${real} does not exist`);
  if (code === "EACCES" || code === "EPERM")
    return new ContinuoError("file-unreadable", `this user may not read ${real}`);
  if (code === "ELOOP")
    return new ContinuoError("not-a-file", `${real} is a link now`, { hint: "try again" });
  return error;
}
