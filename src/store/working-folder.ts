import { parse } from "node:path";

/** The folder that the process is in. When it was deleted, the root of the file system, where no project is. */
export function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    return parse(process.execPath).root;
  }
}
