import { existsSync, linkSync, unlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { systemCode } from "../base/errors.ts";
import { unique } from "../base/unique.ts";
import { writeFileAtomic } from "./atomic-file.ts";

/**
 * Makes a file with its whole content in one step, or says false when there is one already. A rename would replace a
 * file that appeared since we looked; a hard link cannot.
 */
export function createFileAtomic(path: string, content: string, mode?: number): boolean {
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}-${unique()}.unfinished`);
  writeFileAtomic(draft, content, mode === undefined ? {} : { mode });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    // Some file systems have no hard links: then a look just before must do.
    if (existsSync(path)) return false;
    writeFileAtomic(path, content, mode === undefined ? {} : { mode });
    return true;
  } finally {
    unlinkSync(draft);
  }
}
