import { join } from "node:path";
import type { Home } from "../../../store/home.ts";
import { withLock } from "../../../store/lock.ts";
import type { Installer, Wiring } from "../../port/installer.ts";
import { applyInstall, isChange, planInstall } from "./wire.ts";

/**
 * Makes Continuo's hooks in the host's settings start processes, because its MCP server does not run, or call the server
 * again (`wiring.mcp`). Only those entries are changed, and uninstalling still brings back the user's own bytes. Returns
 * whether something was changed. Throws, and changes nothing, if the settings are not as an installation left them.
 */
export function rewireHooks(
  installer: Installer,
  env: NodeJS.ProcessEnv,
  home: Home,
  wiring: Wiring,
  now: number,
): Promise<boolean> {
  const { mcp: _entry, statusLine: _line, ...hooks } = installer;
  return withLock(
    join(home.locks, "install"),
    () => {
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
