import { existsSync } from "node:fs";
import { join } from "node:path";
import { userHome } from "../../store/home.ts";

/** The folder of the user's settings. */
export function settingsFolder(env: NodeJS.ProcessEnv): string {
  return join(env["XDG_CONFIG_HOME"] || join(userHome(env), ".config"), "opencode");
}

/**
 * Whether the host could not install its own package into one of its settings folders, for example without a network.
 * It tries again whenever it reads its settings, and reads them again while it waits for a plugin's `dispose`. Then it
 * exits in the middle of that and leaves its lock behind, and the next process with any plugin waits a minute for this
 * lock before it asks a model.
 */
export function lacksPackage(env: NodeJS.ProcessEnv, directory: string): boolean {
  const folders = [settingsFolder(env), join(directory, ".opencode"), env["OPENCODE_CONFIG_DIR"] ?? ""];
  return folders.some((folder) => existsSync(folder) && !existsSync(join(folder, "node_modules")));
}
