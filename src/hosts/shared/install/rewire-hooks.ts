import { join } from "node:path";
import { oneLine } from "../../../base/for-terminal.ts";
import type { Home } from "../../../store/home.ts";
import { withLock } from "../../../store/lock.ts";
import type { Installer, Wiring } from "../../port/installer.ts";
import { naming } from "./jsonc.ts";
import { noteGuards, readReceipt } from "./receipt.ts";
import { readSettingsFile, withoutMark } from "./settings-file.ts";
import { applyInstall, isChange, planInstall } from "./wire.ts";
import type { GuardReason } from "./wiring.ts";

/* Changes that Continuo makes to its own hooks by itself. Only hooks of an installation (with a receipt) are changed,
   and uninstalling still restores the user's original bytes. Both functions return whether anything changed. If the
   settings cannot be edited safely, they throw and change nothing. */

/**
 * Makes hooks start processes, because the MCP server does not run, or call the server again (according to
 * `wiring.mcp`).
 */
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

/** Adds the hook before tool calls once: if the user removes it, it stays out. */
function addGuardHook(
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
    // An older version wrote the receipt, which does not record this hook.
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

/** Another hook of the same prompt may be doing the same. */
const LOCK_MS = 200;

/** Adds the hook before tool calls to a host that Continuo is installed in. Returns a line for the user if it was missing. */
export async function guardHookLine(
  installer: Installer,
  env: NodeJS.ProcessEnv,
  home: Home,
  wiring: Wiring,
  why: GuardReason,
  now: number,
): Promise<string | undefined> {
  if (installer.guards === undefined) return undefined;
  if (!(await addGuardHook(installer, env, home, wiring, now))) return undefined;
  return `Continuo now checks tool calls in ${installer.label} before they run, because ${reason(why)}. This holds ${installer.guards.holds}.`;
}

function reason(why: GuardReason): string {
  return why.kind === "rule"
    ? `your rule "${oneLine(why.name).slice(0, 100)}" refuses some or asks about them`
    : "rules of a project that you trust may refuse some";
}

/**
 * Whether Continuo is installed in the host but is not asked before tool calls: `waiting` until its next prompt adds
 * the hook, or `removed` by the user. undefined if nothing is missing.
 */
export function missingGuardHook(
  installer: Installer,
  env: NodeJS.ProcessEnv,
  home: Home,
  wiring: Wiring,
): "waiting" | "removed" | undefined {
  const receipt = readReceipt(home, installer.host);
  const file = installer.settingsFile(env);
  const { guards } = installer;
  if (guards === undefined || !receipt?.files.some((one) => one.file === file)) return undefined;
  const text = withoutMark(readSettingsFile(file) ?? "");
  const after = naming(file, () => guards.add(text, wiring));
  if (after === undefined || after === text) return undefined;
  return receipt.guards === true ? "removed" : "waiting";
}
