import { agentNamer, sessionNamer } from "../cli/names.ts";
import type { Others } from "../moments/ports/action.ts";
import { missingGuardLines, withGuardHooks } from "../setup/guards.ts";
import { wiredHosts } from "../setup/inspect.ts";
import type { ServingWorld } from "../setup/registries.ts";
import { ifIndexed, projectIds } from "../sources/sessions/access.ts";
import { nameOfFile } from "../sources/sessions/left-off/name-of-file.ts";
import { sessionsSettings } from "../sources/sessions/settings.ts";
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
      const place = { ...world, home };
      const found = await ifIndexed(place, (library) => library.find(said, { project: projectIds(place) }));
      if (found?.kind === "ambiguous") return found.candidates;
      return found?.kind === "found" ? [found.session] : [];
    },
    async failures() {
      const { checkFailures } = await import("../cli/commands/doctor/failures.ts");
      return [...checkFailures(world, home)].filter(({ status }) => status !== "ok");
    },
    weeks: async () => (await import("../sources/week.ts")).weeksUntil(home, world.now()),
    sessionsAreOn: () => sessionsSettings(home, world.env)["enabled"] !== false,
    // Loaded when needed: the index of sessions is much code.
    findSessions: async (asked, place) =>
      (await import("../sources/sessions/actions/search.ts")).findSessions(asked, place),
    isConnected: async () => (await wiredHosts(world)).length > 0,
    missingGuards: () => missingGuardLines(world, home),
    putGuards: () => withGuardHooks(world, home),
  };
}
