import type { Host } from "../port/host.ts";

/** Everything about Copilot. */
export const copilot: Host = {
  hook: async () => (await import("./hook.ts")).copilot,
  installer: async () => (await import("./installer.ts")).copilotInstaller,
  history: async () => (await import("./history/reader.ts")).copilotReader,
};
