import { readdirSync } from "node:fs";
import { join } from "node:path";
import { cacheRoot, installedPackage } from "./packages.ts";

export const COPILOT = "1.0.102";

export async function copilotProgram(): Promise<string> {
  const scope = join(await installedPackage("@github/copilot", COPILOT), "node_modules", "@github");
  const platform = readdirSync(scope).find((name) => name.startsWith("copilot-"));
  if (platform === undefined) throw new Error(`Copilot CLI ${COPILOT} has no build for this system`);
  return join(scope, platform, process.platform === "win32" ? "copilot.exe" : "copilot");
}

/** No login, no update, no network but the given server. */
export function copilotEnv(url: string): Record<string, string> {
  return {
    COPILOT_OFFLINE: "true",
    COPILOT_AUTO_UPDATE: "false",
    COPILOT_PROVIDER_TYPE: "anthropic",
    COPILOT_PROVIDER_BASE_URL: url,
    COPILOT_PROVIDER_API_KEY: "dummy",
    COPILOT_MODEL: "claude-sonnet-4.5",
    // It unpacks 235 MB at its first start, which all tests share.
    XDG_CACHE_HOME: join(cacheRoot(), "copilot-unpacked"),
  };
}
