import { join } from "node:path";
import type { Home } from "./home.ts";
import { writeFileAtomic } from "./write-file.ts";

/** The settings as a command last wrote them. `continuo doctor --fix` restores them when the file cannot be read any more. */
export function configBackup({ backups }: Pick<Home, "backups">): string {
  return join(backups, "config.json");
}

export function keepConfig(home: Home, text: string): void {
  try {
    writeFileAtomic(configBackup(home), text);
  } catch {
    // The settings themselves were written, so a missing backup is not a failure.
  }
}
