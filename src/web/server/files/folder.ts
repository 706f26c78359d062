import { closeSync, constants, openSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { ContinuoError } from "../../../base/errors.ts";
import { openedPath } from "./open-allowed.ts";

/**
 * Works in a folder that must still be at its real path. On Linux the folder is held open and names are resolved inside
 * it, so nothing is written elsewhere, even if the path changes. Node offers no such thing on other systems: there, a
 * process that replaces the folder by a link at the right moment is not noticed.
 */
export function inFolder<T>(real: string, work: (at: (name: string) => string) => T): T {
  const refused = (): ContinuoError =>
    new ContinuoError("file-changed-place", `${real} was replaced meanwhile`, { hint: "try again" });
  if (process.platform !== "linux") {
    if (realpathSync.native(real) !== real) throw refused();
    return work((name) => join(real, name));
  }
  const folder = openSync(real, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    const opened = openedPath(folder);
    if (opened !== undefined && opened !== real) throw refused();
    const held = opened === undefined ? real : `/proc/self/fd/${folder}`;
    return work((name) => join(held, name));
  } finally {
    closeSync(folder);
  }
}
