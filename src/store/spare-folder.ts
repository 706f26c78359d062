import { lstatSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";

/**
 * A folder of this user's in the temporary folder, for what the home cannot take: failures, and the state of sessions.
 * undefined where another user planted a folder or a link of that name.
 */
export function spareFolder(): string | undefined {
  try {
    const folder = join(tmpdir(), `continuo-${String(process.getuid?.() ?? userInfo().username)}`);
    const stat = lstatSync(folder, { throwIfNoEntry: false });
    if (stat === undefined) return folder;
    const isOurs = process.getuid === undefined || stat.uid === process.getuid();
    return stat.isDirectory() && isOurs ? folder : undefined;
  } catch {
    return undefined; // nobody knows who we are, or the temporary folder may not be looked into
  }
}
