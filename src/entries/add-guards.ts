import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import { loadInstallers } from "../hosts/index.ts";
import { installedVersion } from "../hosts/shared/install/receipt.ts";
import { guardHookLine } from "../hosts/shared/install/rewire-hooks.ts";
import { type GuardReason, wiringFor } from "../hosts/shared/install/wiring.ts";
import { SOURCES } from "../sources/index.ts";
import type { Home } from "../store/home.ts";

/** Adds the hook before tool calls to one host. Returns lines for the user. */
export async function addGuards(
  env: NodeJS.ProcessEnv,
  home: Home,
  host: string,
  why: GuardReason,
  now: number,
): Promise<string[]> {
  const installer = (await loadInstallers()).find((one) => one.host === host);
  if (installer === undefined) return [];
  // Paths of the runtime and the script are taken from the existing hooks.
  const packageRoot = dirname(dirname(realpathSync(process.argv[1] ?? "")));
  const hostVersion = installedVersion(home, host);
  const wiring = wiringFor({ sources: SOURCES, packageRoot, env, home, hostVersion });
  const line = await guardHookLine(installer, env, home, wiring, why, now);
  return line === undefined ? [] : [line];
}
