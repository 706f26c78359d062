import { agentNamer, sessionNamer } from "../cli/names.ts";
import type { Others } from "../moments/ports/action.ts";
import { missingGuardLines, withGuardHooks } from "../setup/guards.ts";
import { wiredHosts } from "../setup/inspect.ts";
import type { ServingWorld } from "../setup/registries.ts";
import { nameOfFile } from "../sources/sessions/left-off/name-of-file.ts";
import { findHome } from "../store/home.ts";

/** What actions may use of agents and past sessions. */
export async function othersIn(world: ServingWorld): Promise<Others> {
  const home = findHome(world.env);
  const [agentName, sessionName] = await Promise.all([agentNamer(world), sessionNamer(world)]);
  return {
    agentName,
    sessionName,
    transcriptName: nameOfFile,
    isConnected: async () => (await wiredHosts(world)).length > 0,
    missingGuards: () => missingGuardLines(world, home),
    putGuards: () => withGuardHooks(world, home),
  };
}
