import { lstatSync, readdirSync, realpathSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "../../../base/errors.ts";
import { readAt, withFile } from "../../../store/read-file.ts";

/**
 * Deletes a folder with everything in it, but not what is mounted in it from elsewhere: that is on another disk, or is
 * another folder of the user's. Links are removed, not followed. Returns the paths that stay.
 */
export function deleteFolder(root: string, mounts: ReadonlySet<string> = mountPoints()): string[] {
  const real = realpathSync(root);
  const { dev } = lstatSync(real);
  const left: string[] = [];
  remove(real);
  return left;

  /** Whether it is gone. */
  function remove(path: string): boolean {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return true;
    if (path !== real && (found.dev !== dev || mounts.has(path))) {
      left.push(path);
      return false;
    }
    if (!found.isDirectory()) return unlessMounted(path, () => rmSync(path, { force: true, maxRetries: 3 }));
    const isEmpty = readdirSync(path).reduce((all, name) => remove(join(path, name)) && all, true);
    return isEmpty && unlessMounted(path, () => rmdirSync(path));
  }

  /** The folder itself may be a disk of its own: then it stays, empty. */
  function unlessMounted(path: string, act: () => void): boolean {
    try {
      act();
      return true;
    } catch (error) {
      if (systemCode(error) !== "EBUSY") throw error;
      left.push(path);
      return false;
    }
  }
}

const MOST_BYTES = 4 * 1024 * 1024;

/** A folder of the same disk can be mounted too, which only the system's list tells. */
export function mountPoints(): ReadonlySet<string> {
  try {
    const bytes = withFile("/proc/self/mountinfo", ({ descriptor }) => readAt(descriptor, 0, MOST_BYTES));
    const lines = bytes.toString("utf8").split("\n");
    const unescaped = (path: string) =>
      path.replaceAll(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
    return new Set(lines.map((line) => unescaped(line.split(" ")[4] ?? "")));
  } catch {
    return new Set(); // not Linux: the number of the disk has to be enough
  }
}
