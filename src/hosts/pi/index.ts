import type { Host } from "../port/host.ts";

/** Everything about pi. */
export const pi: Host = {
  installer: async () => (await import("./installer.ts")).piInstaller,
  history: async () => (await import("./history/reader.ts")).piReader,
};
