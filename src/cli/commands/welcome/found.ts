import type { SessionFile } from "../../../moments/ports/history.ts";
import { judge } from "../../../sources/rules/judge.ts";
import { placeFor } from "../../actions/as-command.ts";
import type { Input } from "../../command.ts";
import { type AgentState, agentStates } from "../install/agents.ts";
import { type FoundNotes, findNotes } from "./vaults.ts";

/** What there is on this machine that Continuo can use. */
export interface Found extends FoundNotes {
  /** Those that are here or have past sessions. */
  readonly agents: readonly FoundAgent[];
  readonly sessions: number;
  /** Rule files that hold in this folder: of its project, and the user's own. */
  readonly rules: { readonly project: number; readonly own: number };
}

export interface FoundAgent extends AgentState {
  readonly sessions: number;
}

/** Reads lists of files and asks programs for their version; nothing is written. */
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

/** Rules that cannot be read are no reason to stop: `doctor` explains them. */
async function countRules(input: Input): Promise<Found["rules"]> {
  try {
    const { judged } = await judge(placeFor(input), { directory: input.cwd });
    const own = judged.filter(({ rule }) => rule.file.scope === "global").length;
    return { project: judged.length - own, own };
  } catch {
    return { project: 0, own: 0 };
  }
}
