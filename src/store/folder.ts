import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { ContinuoError, systemCode } from "../moments/errors.ts";

/** Longer than any system's paths; each part of it would be looked at. */
const MAX_PATH = 32_767;

/** Makes a private folder and those above it. */
export function ensureFolder(path: string): void {
  const missing: string[] = [];
  let at = path;
  try {
    if (path.length > MAX_PATH) throw Object.assign(new Error("too long"), { code: "ENAMETOOLONG" });
    while (statSync(at, { throwIfNoEntry: false })?.isDirectory() !== true && dirname(at) !== at) {
      missing.push(at);
      at = dirname(at);
    }
    // Not with Node's `recursive`, which never ends where the system denies that a folder exists, as below /proc.
    for (at of missing.reverse()) make(at);
  } catch (error) {
    throw new ContinuoError(
      "folder-unwritable",
      `${path.slice(0, 300)} cannot be made (${systemCode(error)} at ${at.slice(0, 300)})`,
      {
        hint: "make that folder writable, free some disk, or set CONTINUO_HOME to another place",
        cause: error,
      },
    );
  }
}

function make(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process was faster.
    if (systemCode(error) !== "EEXIST" || !statSync(folder).isDirectory()) throw error;
  }
}
