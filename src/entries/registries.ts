import type { Registries } from "../setup/registries.ts";

const hosts = () => import("../hosts/index.ts");
const sources = () => import("../sources/index.ts");

/** Everything that the command line knows about hosts and sources. Loaded when used: `--version` needs none of it. */
export const registries: Registries = {
  history: async () => (await hosts()).loadHistory(),
  sources: async () => (await sources()).SOURCES,
  actions: async () =>
    (await import("../moments/offers/action-groups.ts")).loadGroups((await sources()).MODULES),
  others: async (world) => (await import("./others.ts")).othersIn(world),
  installers: async () => (await hosts()).loadInstallers(),
  mcpClients: async () => (await import("../hosts/mcp/clients.ts")).mcpClients(),
  hookHosts: async () => (await hosts()).HOOK_HOSTS,
  openingRoom: async (host) => (await hosts()).openingRoom(host),
  chatHost: async (env, runtimeEnv) => (await import("./chat-host.ts")).chatHost(env, runtimeEnv),
  serveMcp: async (env, cwd) => (await import("./mcp.ts")).serve(env, cwd),
  serveWeb: async (world, options) => (await import("./web.ts")).webMain(world, options),
};
