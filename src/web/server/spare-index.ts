import { copyFile, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemCode } from "../../base/errors.ts";

/** A larger index is not copied: the list then begins empty. */
const MOST_BYTES = 1024 * 1024 * 1024;

/**
 * A copy of the index for a home that cannot be written: SQLite needs files beside it even to read. It is in a private
 * temporary folder until the server ends.
 */
export async function spareIndex(path: string): Promise<{ path: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "continuo-web-"));
  const spare = join(folder, "sessions.db");
  for (const end of ["", "-wal"]) {
    try {
      const stats = await stat(path + end);
      if (stats.isFile() && stats.size <= MOST_BYTES) await copyFile(path + end, spare + end);
    } catch (error) {
      // There is none, or nobody may read it: then the list begins empty.
      if (systemCode(error) === undefined) throw error;
    }
  }
  return { path: spare, remove: () => rm(folder, { recursive: true, force: true }) };
}
