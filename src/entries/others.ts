import { oneLine } from "../base/for-terminal.ts";
import type { Others } from "../moments/ports/action.ts";
import type { SessionFile, TranscriptReader } from "../moments/ports/history.ts";
import { folderOfUser, metaFile } from "../moments/state/session-meta.ts";
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
    // Loaded when needed: most actions ask for names only.
    isConnected: async () => (await (await import("../setup/inspect.ts")).wiredHosts(world)).length > 0,
    missingGuards: async () => (await import("../setup/guards.ts")).missingGuardLines(world, home),
    putGuards: async () => (await import("../setup/guards.ts")).withGuardHooks(world, home),
  };
}

/** `Claude Code` for `claude-code`. */
async function agentNamer({
  installers,
}: Pick<ServingWorld, "installers">): Promise<(host: string) => string> {
  const labels = new Map((await installers()).map(({ host, label }) => [host as string, label]));
  return (host) => labels.get(host) ?? (host === "mcp" ? "MCP client" : oneLine(host));
}

interface SessionOf {
  readonly host: string;
  readonly session: string;
}

/**
 * The name that the user gave a session, else the one from its transcript, which is read on first use; "" if there is
 * none.
 */
async function sessionNamer({ history, env }: Pick<ServingWorld, "history" | "env">) {
  const readers = await history();
  const files = new Map<string, ReadonlyMap<string, SessionFile>>();
  const filesOf = (reader: TranscriptReader) => {
    const known = files.get(reader.host);
    if (known !== undefined) return known;
    const found = new Map(
      reader.discover(env, { onFailure: () => undefined }).map((file) => [file.id, file]),
    );
    files.set(reader.host, found);
    return found;
  };
  const names = new Map<string, string>();
  return ({ host, session }: SessionOf): string => {
    const key = `${host}\n${session}`;
    const known = names.get(key);
    if (known !== undefined) return known;
    const reader = [...readers.values()].find((one) => one.host === host);
    const file = reader === undefined ? undefined : filesOf(reader).get(session);
    const name = givenName(env, { host, session }) || (file && reader ? nameOfFile(reader, file) : "");
    names.set(key, name);
    return name;
  };
}

function givenName(env: NodeJS.ProcessEnv, { host, session }: SessionOf): string {
  try {
    return (
      metaFile(findHome(env), folderOfUser(env), { host, id: session }, { lockWaitMs: 0 }).read()?.name ?? ""
    );
  } catch {
    return ""; // a name is optional, so do not fail: doctor reports what is wrong with the file
  }
}
