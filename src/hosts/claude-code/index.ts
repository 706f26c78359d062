import type { Host } from "../port/host.ts";

/** Everything about Claude Code. */
export const claudeCode: Host = {
  hook: async () => (await import("./hook.ts")).claudeCode,
  installer: async () => (await import("./installer.ts")).claudeCodeInstaller,
  history: async () => (await import("./history/reader.ts")).claudeCodeReader,
};
