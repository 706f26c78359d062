import type { Registries } from "../cli/registries.ts";
import { loadHistory } from "../hosts/load-history.ts";

/** Everything that the command line knows of hosts and sources. */
export const registries: Registries = {
  history: loadHistory,
  sources: async () => (await import("../sources/index.ts")).SOURCES,
  installers: async () => (await import("../hosts/installers.ts")).INSTALLERS,
  hookHosts: async () => (await import("../hosts/hooks.ts")).HOOK_HOSTS,
  openingRoom: async (host) => (await import("../hosts/hooks.ts")).openingRoom(host),
  serveMcp: async (env, cwd) => (await import("./mcp-main.ts")).mcpMain(env, cwd),
};
