import type { Host } from "../port/host.ts";
import { gemini as hook } from "./hook.ts";

/** Everything about Gemini CLI. */
export const gemini: Host = {
  hook,
  installer: async () => (await import("./installer.ts")).geminiInstaller,
  history: async () => (await import("./history/reader.ts")).geminiReader,
};
