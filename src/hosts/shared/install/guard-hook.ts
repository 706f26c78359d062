import { oneLine } from "../../../base/for-terminal.ts";
import type { Home } from "../../../store/home.ts";
import type { Installer, Wiring } from "../../port/installer.ts";
import { naming } from "./jsonc.ts";
import { readReceipt } from "./receipt.ts";
import { addGuardHook } from "./rewire-hooks.ts";
import { readSettingsFile, withoutMark } from "./settings-file.ts";
import type { GuardReason } from "./wiring.ts";

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
 * Whether Continuo is installed in the host, but is not asked before tool calls: `waiting` until its next prompt adds the
 * hook, or `removed` by the user. undefined where nothing is missing.
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
