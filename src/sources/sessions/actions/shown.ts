import { commandWord, oneLine } from "../../../base/for-terminal.ts";
import { HOST_NAMES } from "../../../base/host-names.ts";
import { ago } from "../../../base/when.ts";
import type { Place } from "../../../moments/ports/action.ts";
import { explainNoMatch } from "../answers/recall.ts";
import type { SessionFilter, Sessions } from "../library.ts";
import type { PastSession } from "../session.ts";

// How actions show sessions to users and programs.

/** A session with the agent's own command that resumes it. */
export type Listed = PastSession & { readonly resume: string | null };

export const listed = (session: PastSession, library: Sessions): Listed => ({
  ...session,
  resume: library.resumeLine(session) ?? null,
});

/** A session as `--json` prints it. */
export function toJson({ started, modified, resume, ...rest }: Listed) {
  return {
    ...rest,
    started: new Date(started).toISOString(),
    modified: new Date(modified).toISOString(),
    resume,
  };
}

export interface Names {
  /** `Claude Code` for `claude-code`. */
  readonly agent: (host: string) => string;
  /** The shortest text that finds a session, for commands that a user types. */
  readonly short: (id: string) => string;
}

export async function namesFor(place: Place, library: Sessions): Promise<Names> {
  const known = shortIds(library.list({ children: true }).map(({ id }) => id));
  return {
    agent: await agentNames(place),
    // For an id that is not indexed, the shortest unique prefix is unknown, so it gets more characters.
    short: (id) => commandWord(known.get(id) ?? id.slice(0, 13)),
  };
}

export async function agentNames({ others }: Pick<Place, "others">): Promise<Names["agent"]> {
  return (await others?.())?.agentName ?? oneLine;
}

/** Where and when a session was: `Claude Code, shop, main, 2 h ago`. */
export function factsOf(
  { host, label, branch, modified, isGone }: PastSession,
  agent: Names["agent"],
  now: number,
): string {
  const where = [agent(host), label, branch].filter((one) => one !== undefined).map(oneLine);
  return [...where, ago(modified, now), ...(isGone ? ["transcript deleted"] : [])].join(", ");
}

/** Shown if no session is indexed at all. */
export const noSessions = (agent: Names["agent"]): string =>
  `There are no past sessions on this machine. Continuo looks for those of ${HOST_NAMES.map((one) => agent(one)).join(", ")}.`;

/** The message if no session matches: which filter excludes all, or that there are no sessions. */
export async function nothingFound(
  place: Place,
  library: Sessions,
  filter: SessionFilter,
  none: string,
): Promise<string[]> {
  return library.size().sessions === 0
    ? [noSessions(await agentNames(place))]
    : [none, ...explainNoMatch(library, filter)];
}

/** Below a shortened list. */
export const showing = (shown: number, total: number): string[] =>
  total > shown ? [`Showing ${shown} of ${total}. Use --limit.`] : [];

const LEAST = 8;

/**
 * The shortest unique prefix of each id. It is accepted wherever an id is, and keeps the rows of a list short. A fixed
 * length would not work, because some hosts' ids begin with the time, so that many share a long prefix.
 */
export function shortIds(ids: readonly string[]): ReadonlyMap<string, string> {
  const sorted = [...new Set(ids)]
    .map((id) => ({ id, compared: id.toLowerCase() }))
    .sort((a, b) => (a.compared < b.compared ? -1 : 1));
  return new Map(
    sorted.map(({ id, compared }, at) => {
      const shared = [sorted[at - 1], sorted[at + 1]].map((one) => sharedBy(compared, one?.compared ?? ""));
      return [id, id.slice(0, Math.max(LEAST, ...shared.map((length) => length + 1)))];
    }),
  );
}

function sharedBy(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}
