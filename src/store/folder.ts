import { accessSync, constants, existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { ContinuoError, systemCode } from "../moments/errors.ts";

/**
 * Makes a private folder and those above it. Node reports a read-only disk as "no such file" here, so the nearest
 * folder that exists is asked for the true reason.
 */
export function ensureFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    let above = dirname(path);
    while (!existsSync(above) && dirname(above) !== above) above = dirname(above);
    let reason = systemCode(error);
    try {
      accessSync(above, constants.W_OK);
    } catch (denied) {
      reason = systemCode(denied);
    }
    throw new ContinuoError("folder-unwritable", `${path} cannot be made (${reason} at ${above})`, {
      hint: "make that folder writable, free some disk, or set CONTINUO_HOME to another place",
      cause: error,
    });
  }
}
