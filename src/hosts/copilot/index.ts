import type { Host } from "../port/host.ts";
import { copilot as hook } from "./hook.ts";

/** Everything about Copilot CLI. */
export const copilot: Host = {
  hook,
  installer: async () => (await import("./installer.ts")).copilotInstaller,
  history: async () => (await import("./history/reader.ts")).copilotReader,
};
