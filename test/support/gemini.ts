import { join } from "node:path";
import { installedPackage } from "./packages.ts";

export const GEMINI = "0.61.0";

export async function geminiProgram(): Promise<string> {
  const folder = await installedPackage("@google/gemini-cli", GEMINI);
  return join(folder, "node_modules", "@google", "gemini-cli", "bundle", "gemini.js");
}

/** The user's settings before Continuo is installed: no login, no update, no telemetry. */
export function geminiSettings(more: Record<string, unknown> = {}): string {
  const settings = {
    security: { auth: { selectedType: "gemini-api-key" } },
    general: { enableAutoUpdate: false },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    ...more,
  };
  return `${JSON.stringify(settings, null, 2)}\n`;
}

export function geminiEnv(url: string): Record<string, string> {
  return { GEMINI_API_KEY: "dummy", GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_TRUST_WORKSPACE: "true" };
}
