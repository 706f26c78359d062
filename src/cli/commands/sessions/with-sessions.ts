import { ContinuoError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { HOST_NAMES } from "../../../hosts/names.ts";
import { findProject } from "../../../moments/project.ts";
import { catchUp } from "../../../sources/sessions/access.ts";
import { openSessions, type SessionFilter, type Sessions } from "../../../sources/sessions/library.ts";
import type { PastSession } from "../../../sources/sessions/session.ts";
import { sessionsSettings } from "../../../sources/sessions/settings.ts";
import { findHome } from "../../../store/home.ts";
import type { Input, Options } from "../../command.ts";
import { throttled } from "../../terminal/progress.ts";
import { choiceOf, textOf, timeOf } from "../notes/words.ts";
import { boundYoungGeneration } from "./young-generation.ts";

export const HOSTS: readonly string[] = HOST_NAMES;

export const SESSION_OPTIONS: Options = {
  host: { type: "string", value: "HOST", choices: HOSTS, help: "only of this host" },
  project: {
    type: "string",
    value: "NAME",
    help: "only of this project: its name or folder; . is the current one",
  },
  branch: { type: "string", value: "NAME", help: "only on this branch" },
  file: { type: "string", value: "PATH", help: "only those that read or edited this file" },
  since: { type: "string", value: "TIME", help: "active since: a day such as 2026-11-01, or 7d" },
  until: { type: "string", value: "TIME", help: "begun before" },
  limit: { type: "string", value: "N", help: "how many at most" },
  children: { type: "boolean", help: "subagents' sessions too" },
  quotes: { type: "boolean", help: "ask: only quotes, also where a model could compose an answer" },
  all: { type: "boolean", help: "describe: every session with enough that no model has told of" },
  "dry-run": { type: "boolean", help: "describe: only tell how many, and how much would be read" },
  tree: { type: "boolean", help: "list: each session followed by its forks and what continues it" },
};

/** Opens the index for one command, and closes it whatever happens. */
export async function withSessions<T>(input: Input, use: (sessions: Sessions) => T | Promise<T>): Promise<T> {
  const { env, now } = input;
  const home = findHome(env);
  const sessions = openSessions({
    home,
    env,
    history: await input.history(),
    now,
    keep: sessionsSettings(home, env).keep,
    onTrouble: (_, message) => input.tell?.(`continuo: ${message}`),
  });
  try {
    return await use(sessions);
  } finally {
    sessions.close();
  }
}

/** Before a question: what changed on disk, within bounds. Nobody expects an answer from an empty index. */
export async function lookFirst(input: Input, sessions: Sessions): Promise<void> {
  const progress = throttled(input);
  const { isComplete } = await catchUp(sessions, {
    sliceMs: sessions.size().sessions === 0 ? 30_000 : 1500,
    onProgress({ doneSessions, sessions: all }) {
      boundYoungGeneration();
      progress(`${doneSessions} of ${all} sessions read`);
    },
  });
  if (!isComplete)
    input.tell?.("continuo: not every session is indexed yet; continuo sessions index finishes it");
}

export function filterOf(input: Input): SessionFilter {
  const host = choiceOf(input, "host", HOSTS);
  const project = textOf(input, "project");
  const branch = textOf(input, "branch");
  const file = textOf(input, "file");
  const since = timeOf(input, "since");
  const until = timeOf(input, "until");
  return {
    ...(host === undefined ? {} : { host }),
    ...(project === undefined ? {} : { project: project === "." ? findProject(input.cwd).id : project }),
    ...(branch === undefined ? {} : { branch }),
    ...(file === undefined ? {} : { file }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(input.values["children"] === true ? { children: true } : {}),
  };
}

/** Claude Code names its session to every command that it runs: without a name that one is meant, or the newest. */
export function namedOrOwn({ positionals, env }: Input): readonly string[] {
  const words = positionals.slice(1);
  return words.length > 0 ? words : [env["CLAUDE_CODE_SESSION_ID"] ?? "last"];
}

/** The one session that is meant: by id, beginning of an id, or name; `last` is the newest of this project. */
export function chosen(
  input: Input,
  sessions: Sessions,
  words: readonly string[],
  usage: string,
): PastSession {
  const wanted = words.join(" ").trim();
  if (wanted === "") throw new ContinuoError("usage", "which session?", { hint: `usage: continuo ${usage}` });
  const host = choiceOf(input, "host", HOSTS);
  const project = findProject(input.cwd).id;
  const newest =
    wanted === "last" ? sessions.list({ project, limit: 1, ...(host && { host }) })[0] : undefined;
  if (newest !== undefined) return newest;
  const found = sessions.find(wanted, { project, ...(host && { host }) });
  if (found.kind === "found") return found.session;
  if (found.kind === "ambiguous")
    throw new ContinuoError("session-ambiguous", `several sessions are called "${wanted}"`, {
      hint: `name one by its id:${listed(found.candidates)}`,
    });
  throw new ContinuoError("no-such-session", `there is no session "${wanted}"`, {
    hint:
      found.nearest.length === 0
        ? "continuo sessions list shows all that are indexed"
        : `nearest:${listed(found.nearest)}`,
  });
}

/** One a line: an id and a name are long. */
const listed = (sessions: readonly PastSession[]): string =>
  sessions.map(({ host, id, name }) => `\n    ${oneLine(id)}  ${oneLine(name)} (${host})`).join("");
