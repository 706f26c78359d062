import { join } from "node:path";
import type { Home } from "../../../store/home.ts";
import { withLock } from "../../../store/lock.ts";
import type { Installer, Wiring } from "../../port/installer.ts";
import { noteGuards, readReceipt } from "./receipt.ts";
import { applyInstall, isChange, planInstall } from "./wire.ts";

/*
 * Changes that Continuo makes to its own hooks by itself. Only hooks of an installation, known by its receipt, are changed,
 * and uninstalling still brings back the user's own bytes. Both return whether something was changed. They throw, and change
 * nothing, if the settings cannot be edited safely.
 */

/** Makes hooks start processes, because the MCP server does not run, or call the server again (`wiring.mcp`). */
export function rewireHooks(
  installer: Installer,
  env: NodeJS.ProcessEnv,
  home: Home,
  wiring: Wiring,
  now: number,
): Promise<boolean> {
  return changeHooks(installer, env, home, now, (hadGuards) => ({
    edit: installer.rewire ?? ((text) => text),
    wiring: { ...wiring, guards: hadGuards },
  }));
}

/** Adds the hook before tool calls, once: one that the user took out again stays out. */
export function addGuardHook(
  installer: Installer,
  env: NodeJS.ProcessEnv,
  home: Home,
  wiring: Wiring,
  now: number,
): Promise<boolean> {
  let hasGuards = false;
  const edit = (text: string, own: Wiring): string => {
    const after = installer.guards?.add(text, own);
    hasGuards = after !== undefined;
    return after ?? text;
  };
  const unchanged = () => {
    // An older version wrote the receipt, which does not say that the hook is there.
    if (hasGuards) noteGuards(home, installer.host, true);
  };
  return changeHooks(
    installer,
    env,
    home,
    now,
    (hadGuards) => (hadGuards ? undefined : { edit, wiring: { ...wiring, guards: true } }),
    unchanged,
  );
}

interface HookChange {
  readonly edit: (text: string, wiring: Wiring) => string;
  readonly wiring: Wiring;
}

/** `choose`: what to change, given whether Continuo has written the hook before tool calls; undefined for nothing. */
function changeHooks(
  installer: Installer,
  env: NodeJS.ProcessEnv,
  home: Home,
  now: number,
  choose: (hadGuards: boolean) => HookChange | undefined,
  unchanged: () => void = () => undefined,
): Promise<boolean> {
  const { mcp: _entry, statusLine: _line, ...only } = installer;
  const file = installer.settingsFile(env);
  return withLock(
    join(home.locks, "install"),
    () => {
      const receipt = readReceipt(home, installer.host);
      if (!receipt?.files.some((one) => one.file === file)) return false;
      const change = choose(receipt.guards === true);
      if (change === undefined) return false;
      const hooks = { ...only, add: change.edit };
      const changes = planInstall(hooks, env, change.wiring);
      if (!changes.some(isChange)) {
        unchanged();
        return false;
      }
      applyInstall(changes, hooks, home, change.wiring, now);
      return true;
    },
    { waitMs: LOCK_MS },
  );
}

/** Another hook of the same prompt may be doing it. */
const LOCK_MS = 200;
