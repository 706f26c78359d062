import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { ContinuoError, systemCode } from "../../base/errors.ts";
import { shortId } from "../../base/for-terminal.ts";
import { isRecord } from "../../base/json.ts";
import { fileNameFor, findHome, type Home } from "../../store/home.ts";
import { isRefused, readText } from "../../store/read-file.ts";
import { shortPath } from "../project/known-project.ts";
import { findProject } from "../project/project.ts";
import type { Project, Session } from "../types.ts";
import {
  findSession,
  folderOfUser,
  hostsIn,
  isPlainId,
  type MetaFile,
  metaFile,
  type SessionKey,
} from "./session-meta.ts";
import { MAX_STATE_BYTES, type SessionState } from "./session-state.ts";

export interface Chosen {
  readonly session: SessionKey;
  readonly file: MetaFile;
  readonly project: Project | undefined;
  readonly workingSet: SessionState["workingSet"];
}

/** How the user named a session. */
export interface Wanted {
  /** The session's id, or a prefix of it. */
  readonly session?: string | undefined;
  readonly host?: string | undefined;
}

/** Where the user is. `session`: the agent's own, if a command runs inside one. */
export interface From {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly session?: Session | undefined;
}

/** The named session, else the one whose agent runs this, else the last active one of this project. */
export function chooseSession(from: From, wanted: Wanted): Chosen {
  const home = findHome(from.env);
  const found =
    wanted.session === undefined
      ? (around(from, home, wanted.host) ?? latest(from, home, wanted.host))
      : byId(from, home, wanted.session, wanted.host);
  const { session, state } = found;
  const userHome = folderOfUser(from.env);
  return {
    session,
    file: metaFile(home, userHome, session, { lockWaitMs: 10_000 }),
    project: state?.project,
    workingSet: state?.workingSet ?? [],
  };
}

interface Found {
  readonly session: SessionKey;
  readonly state: SessionState | undefined;
}

function byId(from: From, home: Home, id: string, host: string | undefined): Found {
  const session = findSession(home, folderOfUser(from.env), id, host);
  if (session !== undefined) {
    return { session, state: stateOfSession(home, session) };
  }
  const begun = id.length < MIN_TYPED ? [] : statesBeginning(home, host, id);
  const [only] = begun;
  if (only !== undefined && begun.length === 1)
    return { session: { host: only.session.host, id: only.session.id }, state: only };
  if (begun.length > 1)
    throw new ContinuoError("session-ambiguous", `several sessions begin with "${id}"`, {
      hint: `use more of one of these ids: ${begun.map((one) => one.session.id).join(", ")}`,
    });
  const known = stateFiles(home, host)
    .slice(0, 5)
    .flatMap((path) => peek(path)?.session.id ?? []);
  throw new ContinuoError("no-such-session", `unknown session "${id}"`, {
    hint:
      known.length === 0
        ? "no agent has had a session since it was connected; connect one: continuo install"
        : `recent sessions: ${known.map((one) => shortId(one)).join(", ")}; more: continuo status`,
  });
}

const MIN_TYPED = 4;

/** The sessions whose ids have this prefix, at most a few: lists show only the beginning of an id. */
function statesBeginning(home: Home, host: string | undefined, begin: string): SessionState[] {
  const name = fileNameFor(begin);
  return stateFiles(home, host)
    .filter((path) => basename(path).startsWith(name))
    .slice(0, 5)
    .flatMap((path) => peek(path) ?? [])
    .filter(({ session }) => session.id.startsWith(begin));
}

/**
 * Claude Code passes its session id to every command that it runs. That session is chosen even if Continuo has no state
 * for it.
 */
function around({ env, session }: From, home: Home, host: string | undefined): Found | undefined {
  const id = session?.id ?? env["CLAUDE_CODE_SESSION_ID"];
  const agent = session?.host ?? "claude-code";
  if (!isPlainId(id) || (host !== undefined && host !== agent)) return undefined;
  return { session: { host: agent, id }, state: stateOfSession(home, { host: agent, id }) };
}

function latest(from: From, home: Home, host: string | undefined): Found {
  const state = latestState(from, home, host);
  if (state !== undefined) return { session: { host: state.session.host, id: state.session.id }, state };
  const where = shortPath(findProject(from.cwd).root, from.env);
  const what = host === undefined ? "no session" : `no ${host} session`;
  throw new ContinuoError(
    "no-such-session",
    `there has been ${what} in ${where} since Continuo was connected`,
    {
      hint: "start one, or name a session of another project: continuo status lists them. Not connected? continuo install",
    },
  );
}

/** The state of the newest session of the project. */
export function latestState({ cwd }: Pick<From, "cwd">, home: Home, host?: string): SessionState | undefined {
  const project = findProject(cwd);
  for (const path of stateFiles(home, host)) {
    const state = peek(path);
    // Not a subagent's session, which ends with its task.
    if (state?.project.id === project.id && state.session.parent === undefined) return state;
  }
  return undefined;
}

export function stateOfSession(home: Home, { host, id }: SessionKey): SessionState | undefined {
  return peek(join(home.state, host, `${fileNameFor(id)}.json`));
}

/** The state files of all sessions, most recently changed first. */
function stateFiles(home: Home, host: string | undefined): string[] {
  return hostsIn(home)
    .filter((one) => host === undefined || one === host)
    .flatMap((one) => readdirSync(join(home.state, one)).map((name) => join(home.state, one, name)))
    .filter((path) => path.endsWith(".json") && !path.endsWith(".meta.json"))
    .map((path) => ({ path, at: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.at - a.at)
    .map(({ path }) => path);
}

/** Read-only: a damaged file is moved away by the session's hooks. */
function peek(path: string): SessionState | undefined {
  let value: unknown;
  try {
    value = JSON.parse(readText(path, { maxBytes: MAX_STATE_BYTES }));
  } catch (error) {
    if (error instanceof SyntaxError || isRefused(error) || systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
  const isState =
    isRecord(value) &&
    isRecord(value["session"]) &&
    isRecord(value["project"]) &&
    Array.isArray(value["workingSet"]);
  return isState ? (value as unknown as SessionState) : undefined;
}
