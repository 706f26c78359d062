import type { Host } from "../port/host.ts";

/** Everything about OpenCode. */
export const opencode: Host = {
  installer: async () => (await import("./installer.ts")).opencodeInstaller,
  history: async () => (await import("./history/reader.ts")).opencodeReader,
};
