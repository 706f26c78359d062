import { statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { isRecord, parseBounded } from "../../../base/json.ts";
import type { SessionFile } from "../../../moments/ports/history.ts";
import { type AgentState, agentStates } from "../../../setup/agents.ts";
import { walkNotes } from "../../../sources/notes/files/list-notes.ts";
import { findRoots, type MemoryRoot } from "../../../sources/notes/files/roots.ts";
import { memorySettings, rootSettings } from "../../../sources/notes/settings.ts";
import { judge } from "../../../sources/rules/judge.ts";
import { findHome, userHome } from "../../../store/home.ts";
import { readTextIfAny } from "../../../store/read-file.ts";
import { placeFor } from "../../actions/as-command.ts";
import type { Input, World } from "../../command.ts";

/** What Continuo can use on this machine. */
export interface Found extends FoundNotes {
  /** Agents that are installed or have past sessions. */
  readonly agents: readonly FoundAgent[];
  readonly sessions: number;
  /** The number of rule files that apply in this folder: the project's, and the user's own. */
  readonly rules: { readonly project: number; readonly own: number };
}

export interface FoundAgent extends AgentState {
  readonly sessions: number;
}

/** Reads lists of files and asks programs for their version; writes nothing. */
export async function lookAround(input: Input): Promise<Found> {
  const [states, counts, rules] = await Promise.all([
    agentStates(input),
    sessionCounts(input),
    countRules(input),
  ]);
  const agents = states
    .map((state) => ({ ...state, sessions: counts.get(state.installer.host) ?? 0 }))
    .filter(({ isFound, sessions, state }) => isFound || sessions > 0 || state === "connected");
  const sessions = [...counts.values()].reduce((sum, one) => sum + one, 0);
  return { agents, sessions, rules, ...findNotes(input) };
}

async function sessionCounts({ history, env }: Input): Promise<ReadonlyMap<string, number>> {
  const isOwn = ({ parent }: SessionFile) => parent === undefined;
  return new Map(
    [...(await history())].map(([host, reader]) => [host, reader.discover(env).filter(isOwn).length]),
  );
}

/** Unreadable rules must not stop the start: `doctor` explains them. */
async function countRules(input: Input): Promise<Found["rules"]> {
  try {
    const { judged } = await judge(placeFor(input), { directory: input.cwd });
    const own = judged.filter(({ rule }) => rule.file.scope === "global").length;
    return { project: judged.length - own, own };
  } catch {
    return { project: 0, own: 0 };
  }
}

/** A folder with notes. */
export interface NoteFolder {
  readonly path: string;
  readonly notes: number;
  /** Whether there are more than were counted. */
  readonly isMore: boolean;
}

interface FoundNotes {
  /** The folders that Continuo reads. */
  readonly read: readonly NoteFolder[];
  /** Obsidian vaults that Continuo does not read yet. */
  readonly vaults: readonly NoteFolder[];
}

/** The count is only shown: a vault on a slow disk must not delay the start. */
const MOST_NOTES = 20_000;
const COUNT_MS = 1_000;
const MOST_VAULTS = 8;

function findNotes({ env, now }: Pick<World, "env" | "now">): FoundNotes {
  const home = findHome(env);
  const { roots } = findRoots(rootSettings(memorySettings(home, env)), home, env);
  const known = new Set(roots.map(({ path }) => path));
  const vaults = obsidianVaults(env).filter((path) => !known.has(path));
  return {
    read: roots.map((root) => counted(root, now)).filter(({ notes }) => notes > 0),
    vaults: vaults.map((path) => counted({ path, kind: "obsidian", isWritable: false }, now)),
  };
}

function counted(root: MemoryRoot, now: () => number): NoteFolder {
  const until = now() + COUNT_MS;
  let notes = 0;
  for (const _ of walkNotes(root)) {
    if (notes >= MOST_NOTES || now() > until) return { path: root.path, notes, isMore: true };
    notes += 1;
  }
  return { path: root.path, notes, isMore: false };
}

/** The existing vaults in Obsidian's own list. */
export function obsidianVaults(env: NodeJS.ProcessEnv): string[] {
  const paths = listFiles(env).flatMap((file) => {
    try {
      const text = readTextIfAny(file, { maxBytes: 1024 * 1024 });
      const list = text === undefined ? undefined : parseBounded(text);
      const vaults = isRecord(list) && isRecord(list["vaults"]) ? Object.values(list["vaults"]) : [];
      return vaults.flatMap((one) => (isRecord(one) && typeof one["path"] === "string" ? [one["path"]] : []));
    } catch {
      return []; // not readable: nothing is found
    }
  });
  return [...new Set(paths)].filter(isFolder).slice(0, MOST_VAULTS);
}

function listFiles(env: NodeJS.ProcessEnv): string[] {
  const home = userHome(env);
  const config = env["XDG_CONFIG_HOME"];
  return [
    config && isAbsolute(config) ? config : join(home, ".config"),
    join(home, "Library", "Application Support"),
    env["APPDATA"] || join(home, "AppData", "Roaming"),
    join(home, ".var", "app", "md.obsidian.Obsidian", "config"),
  ].map((folder) => join(folder, "obsidian", "obsidian.json"));
}

function isFolder(path: string): boolean {
  try {
    return isAbsolute(path) && statSync(path).isDirectory();
  } catch {
    return false; // a vault that was moved, or a disk that is not connected
  }
}
