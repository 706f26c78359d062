import type { Host } from "../port/host.ts";

/** Everything about Codex. */
export const codex: Host = {
  hook: async () => (await import("./hook.ts")).codex,
  installer: async () => (await import("./installer.ts")).codexInstaller,
  history: async () => (await import("./history/reader.ts")).codexReader,
};
