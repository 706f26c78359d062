import { existsSync } from "node:fs";
import { join } from "node:path";
import { userHome } from "../../store/home.ts";

/** Where the host reads the user's settings. */
export function settingsFolder(env: NodeJS.ProcessEnv): string {
  return join(env["XDG_CONFIG_HOME"] || join(userHome(env), ".config"), "opencode");
}

/**
 * The host could not install its own package into one of its settings folders, for example without a network. It tries again
 * whenever it reads its settings, and it reads them again while it waits for a plugin's `dispose`. Then it ends in the middle
 * of that with its lock in place, and the next process with any plugin waits a minute for this lock before it asks a model.
 */
export function lacksPackage(env: NodeJS.ProcessEnv, directory: string): boolean {
  const folders = [settingsFolder(env), join(directory, ".opencode"), env["OPENCODE_CONFIG_DIR"] ?? ""];
  return folders.some((folder) => existsSync(folder) && !existsSync(join(folder, "node_modules")));
}
