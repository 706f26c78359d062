import { ContinuoError } from "../../../base/errors.ts";
import { commandWord, oneLine } from "../../../base/for-terminal.ts";
import { HOST_NAMES } from "../../../base/host-names.ts";
import { ago } from "../../../base/when.ts";
import { boundYoungGeneration } from "../../../base/young-generation.ts";
import { catchUp, projectIds } from "../../../sources/sessions/access.ts";
import { distinctIds } from "../../../sources/sessions/labels.ts";
import { openSessions, type SessionFilter, type Sessions } from "../../../sources/sessions/library.ts";
import { readReference } from "../../../sources/sessions/references.ts";
import type { PastSession } from "../../../sources/sessions/session.ts";
import { sessionsSettings } from "../../../sources/sessions/settings.ts";
import { findHome } from "../../../store/home.ts";
import type { Input, Options } from "../../command.ts";
import { agentNamer } from "../../names.ts";
import { choiceOption, textOption, timeOption } from "../../terminal/options.ts";
import { progressBar } from "../../terminal/progress.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { counted } from "../../terminal/table.ts";
import { wrapOn } from "../../terminal/wrap.ts";
import { shortIds } from "./short-ids.ts";

export const HOSTS: readonly string[] = HOST_NAMES;

export const SESSION_OPTIONS: Options = {
  host: {
    type: "string",
    value: "AGENT",
    choices: HOSTS,
    help: "only sessions of this agent",
    fallback: "all agents",
  },
  project: {
    type: "string",
    value: "NAME",
    help: "only sessions of this project: its name or folder; . is the current one",
    fallback: "all projects",
  },
  branch: {
    type: "string",
    value: "NAME",
    help: "only sessions on this git branch",
    fallback: "all branches",
  },
  file: {
    type: "string",
    value: "PATH",
    help: "only sessions that read or edited this file",
    fallback: "any file",
  },
  since: {
    type: "string",
    value: "TIME",
    help: "only sessions active since then: a day such as 2026-11-01 or yesterday, or 7d",
    fallback: "any time",
  },
  until: { type: "string", value: "TIME", help: "only sessions that started before then", fallback: "now" },
  limit: { type: "string", value: "N", help: "show at most this many", fallback: "20" },
  children: { type: "boolean", help: "include sessions of subagents" },
  weaker: { type: "boolean", help: "also show those that match much less well than the best one" },
  quotes: { type: "boolean", help: "answer only with quotes, even if a model is configured" },
  all: { type: "boolean", help: "all sessions that the model has not summarised yet" },
  "dry-run": { type: "boolean", help: "only print how many sessions and tokens would be sent" },
  yes: { type: "boolean", help: "do not ask" },
  print: { type: "boolean", help: "print the command instead of running it" },
  tree: { type: "boolean", help: "show forks and continuations below their session" },
};

/** Opens the index for one command and always closes it. */
export async function withSessions<T>(input: Input, use: (sessions: Sessions) => T | Promise<T>): Promise<T> {
  const { env, now } = input;
  const home = findHome(env);
  const sessions = openSessions({
    home,
    env,
    history: await input.history(),
    now,
    keep: sessionsSettings(home, env).keep,
    onFailure: (_, message) => input.tell?.(`continuo: ${message}`),
  });
  try {
    return await use(sessions);
  } finally {
    sessions.close();
  }
}

/** How long a command may index new sessions before it answers. An empty index finds nothing, so filling it may take longer. */
export interface SyncTime {
  readonly emptyMs: number;
  readonly usualMs: number;
}

const FOR_PEOPLE: SyncTime = { emptyMs: 30_000, usualMs: 1500 };

/** Indexes sessions that changed on disk, within the given time. Says if some are left. */
export async function syncFirst(
  input: Pick<Input, "tell" | "progress" | "now">,
  sessions: Sessions,
  { emptyMs, usualMs }: SyncTime = FOR_PEOPLE,
): Promise<void> {
  const show = progressBar(input);
  const { isComplete } = await catchUp(sessions, {
    sliceMs: sessions.size().sessions === 0 ? emptyMs : usualMs,
    onProgress({ doneSessions, sessions: all, doneBytes, bytes }) {
      if (doneSessions > 0) boundYoungGeneration();
      show(() => ({
        ...(bytes > 0 && { share: doneBytes / bytes }),
        label: `${doneSessions} of ${counted(all, "session")} read`,
      }));
    },
  });
  if (!isComplete)
    input.tell?.("continuo: not all sessions are indexed yet; to finish: continuo sessions index");
}

export function filterOf(input: Input): SessionFilter {
  const host = choiceOption(input, "host", HOSTS);
  const project = textOption(input, "project");
  const branch = textOption(input, "branch");
  const file = textOption(input, "file");
  const since = timeOption(input, "since");
  const until = timeOption(input, "until");
  return {
    ...(host === undefined ? {} : { host }),
    ...(project === undefined ? {} : { project: project === "." ? projectHere(input) : project }),
    ...(branch === undefined ? {} : { branch }),
    ...(file === undefined ? {} : { file }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(input.values["children"] === true ? { children: true } : {}),
  };
}

/** All places of the current project on this machine. */
export function projectHere({ cwd, env }: Pick<Input, "cwd" | "env">): readonly string[] {
  return projectIds({ cwd, env, home: findHome(env) });
}

/** Without a name: the Claude Code session that runs this command, or the newest session. */
export function namedOrOwn({ positionals, env }: Input): readonly string[] {
  const words = positionals.slice(1);
  return words.length > 0 ? words : [env["CLAUDE_CODE_SESSION_ID"] ?? "last"];
}

/** Finds a session by id, beginning of an id, or name; `last` is the newest of this project. */
export function chosen(
  input: Input,
  sessions: Sessions,
  words: readonly string[],
  usage: string,
): PastSession {
  const wanted = words.join(" ").trim();
  if (wanted === "")
    throw new ContinuoError("usage", "SESSION is missing", { hint: `usage: continuo ${usage}` });
  const host = choiceOption(input, "host", HOSTS);
  const project = projectHere(input);
  const written = readReference(wanted);
  const hostWritten = HOSTS.find((one) => one === written?.host);
  const name = hostWritten === undefined || written === undefined ? wanted : written.name;
  const of = host ?? hostWritten;
  const found = sessions.find(name, { project, ...(of && { host: of }) });
  if (found.kind === "found") return found.session;
  if (found.kind === "ambiguous")
    throw new ContinuoError("session-ambiguous", `several sessions are named "${wanted}"`, {
      hint: ["use an id:", ...listed(found.candidates)],
    });
  if (wanted === "last")
    throw new ContinuoError("no-such-session", "this project has no past sessions", {
      hint: "list those of all projects: continuo sessions list",
    });
  throw new ContinuoError("no-such-session", `unknown session "${wanted}"`, {
    hint:
      found.nearest.length === 0
        ? "list the indexed sessions: continuo sessions list"
        : ["similar names:", ...listed(found.nearest)],
  });
}

/** One session per line, because ids and names are long. */
function listed(sessions: readonly PastSession[]): string[] {
  const ids = distinctIds(sessions);
  return sessions.map(({ host, id, name }, at) => `  ${oneLine(ids[at] ?? id)}  ${oneLine(name)} (${host})`);
}

/** A session as `--json` prints it. */
export function toJson(session: PastSession, sessions: Sessions) {
  const { started, modified, ...rest } = session;
  return {
    ...rest,
    started: new Date(started).toISOString(),
    modified: new Date(modified).toISOString(),
    resume: sessions.resumeLine(session) ?? null,
  };
}

/** Where and when a session was: `Claude Code, shop, main, 2 h ago`. */
export function factsOf(
  { host, label, branch, modified, isGone }: PastSession,
  { now, agent }: { readonly now: number; readonly agent: (host: string) => string },
): string {
  const where = [agent(host), label, branch].filter((one) => one !== undefined).map(oneLine);
  return [...where, ago(modified, now), ...(isGone ? ["transcript deleted"] : [])].join(", ");
}

/** Where no session is indexed at all. */
export async function noSessions(input: Input): Promise<string> {
  const agent = await agentNamer(input);
  return wrapOn(
    `There are no past sessions on this machine. Continuo looks for those of ${HOSTS.map(agent).join(", ")}.`,
    input.screen ?? PLAIN,
  );
}

/** The shortest text that finds each session, for commands that a person types. */
export function shortener(sessions: Sessions): (id: string) => string {
  const short = shortIds(sessions.list({ children: true }).map(({ id }) => id));
  // The shortest unique beginning of an id that is not indexed is unknown, so it gets more characters.
  return (id) => commandWord(short.get(id) ?? id.slice(0, 13));
}
