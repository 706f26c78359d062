import { join } from "node:path";
import type { Home } from "../../../store/home.ts";
import { withLock } from "../../../store/lock.ts";
import type { Installer, Wiring } from "../../port/installer.ts";
import { applyInstall, isChange, planInstall, readReceipt } from "./wire.ts";

/**
 * Makes Continuo's hooks in the host's settings start processes, because its MCP server does not run, or call the server
 * again (`wiring.mcp`). Only hooks of an installation, known by its receipt, are changed, and uninstalling still brings back
 * the user's own bytes. Returns whether something was changed. Throws, and changes nothing, if the settings cannot be
 * edited safely.
 */
export function rewireHooks(
  installer: Installer,
  env: NodeJS.ProcessEnv,
  home: Home,
  wiring: Wiring,
  now: number,
): Promise<boolean> {
  const { mcp: _entry, statusLine: _line, ...only } = installer;
  const hooks = { ...only, add: installer.rewire ?? ((text: string) => text) };
  const file = installer.settingsFile(env);
  return withLock(
    join(home.locks, "install"),
    () => {
      if (!readReceipt(home, installer.host)?.files.some((one) => one.file === file)) return false;
      const changes = planInstall(hooks, env, wiring);
      if (!changes.some(isChange)) return false;
      applyInstall(changes, hooks, home, wiring, now);
      return true;
    },
    { waitMs: LOCK_MS },
  );
}

/** Another hook of the same prompt may be doing it. */
const LOCK_MS = 200;
