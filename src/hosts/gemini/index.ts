import type { Host } from "../port/host.ts";

/** Everything about Gemini CLI. */
export const gemini: Host = {
  hook: async () => (await import("./hook.ts")).gemini,
  installer: async () => (await import("./installer.ts")).geminiInstaller,
  history: async () => (await import("./history/reader.ts")).geminiReader,
};
