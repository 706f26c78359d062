import { existsSync } from "node:fs";
import { agentNamer, sessionNamer } from "../cli/names.ts";
import type { Others } from "../moments/ports/action.ts";
import { missingGuardLines, withGuardHooks } from "../setup/guards.ts";
import { wiredHosts } from "../setup/inspect.ts";
import type { ServingWorld } from "../setup/registries.ts";
import { projectIds, withSessions } from "../sources/sessions/access.ts";
import { sessionsIndexPath } from "../sources/sessions/indexing/schema.ts";
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
    async sessionsCalled(said) {
      if (!existsSync(sessionsIndexPath(home))) return [];
      const { env, cwd, history } = world;
      return withSessions({ home, env, history, now: world.now() }, 0, (sessions) => {
        const found = sessions.find(said, { project: projectIds({ cwd, env, home }) });
        if (found.kind === "ambiguous") return found.candidates;
        return found.kind === "found" ? [found.session] : [];
      });
    },
    async failures() {
      const { checkFailures } = await import("../cli/commands/doctor/failures.ts");
      return [...checkFailures(world, home)].filter(({ status }) => status !== "ok");
    },
    weeks: async () => (await import("../sources/week.ts")).weeksUntil(home, world.now()),
    isConnected: async () => (await wiredHosts(world)).length > 0,
    missingGuards: () => missingGuardLines(world, home),
    putGuards: () => withGuardHooks(world, home),
  };
}
