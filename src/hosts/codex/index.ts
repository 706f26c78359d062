import type { Host } from "../port/host.ts";
import { codex as hook } from "./hook.ts";

/** Everything about Codex. */
export const codex: Host = {
  hook,
  installer: async () => (await import("./installer.ts")).codexInstaller,
  history: async () => (await import("./history/reader.ts")).codexReader,
};
