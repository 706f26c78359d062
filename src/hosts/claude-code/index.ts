import type { Host } from "../port/host.ts";
import { claudeCode as hook } from "./hook.ts";

/** Everything about Claude Code. */
export const claudeCode: Host = {
  hook,
  installer: async () => (await import("./installer.ts")).claudeCodeInstaller,
  history: async () => (await import("./history/reader.ts")).claudeCodeReader,
};
