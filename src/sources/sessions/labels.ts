import { clipWithin } from "../../base/text.ts";
import { quoteLine } from "../../compose/escape.ts";
import type { Citation } from "./quotes.ts";
import type { PastSession } from "./session.ts";

/**
 * Turns a name or text from a transcript, which may contain line feeds or tags of Continuo or a host, into plain text
 * on one line.
 */
export function oneLine(text: string, longest: number): string {
  return clipWithin(quoteLine(text), longest);
}

export function day(time: number): string {
  return minute(time).slice(0, 10);
}

/** Must not throw for a wrong clock. */
export function minute(time: number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime())
    ? "at an unknown time"
    : date.toISOString().slice(0, 16).replace("T", " ");
}

/**
 * The name to show. A session without requests has only its id, which says nothing; commands and agents still accept
 * the id.
 */
export function shownName({ name, id }: Pick<PastSession, "name" | "id">): string {
  return name === id && id.length > LONGEST_WORD ? "Unnamed session" : name;
}

/** A shorter id is usually a word that somebody chose. */
const LONGEST_WORD = 16;

type Labelled = Pick<PastSession, "name" | "host" | "id" | "modified">;

/** Identifies a session for users and agents: its name, host, day, and the id that always finds it. */
export function label(session: Labelled): string {
  return labelBy(session, session.id);
}

function labelBy(session: Labelled, id: string): string {
  const { host, modified } = session;
  return `"${oneLine(shownName(session), 100)}" (${host}, ${day(modified)}, @@${oneLine(id, 200)})`;
}

/** Labels to choose from. */
export function labels(sessions: readonly Labelled[]): string[] {
  const ids = distinctIds(sessions);
  return sessions.map((one, at) => labelBy(one, ids[at] ?? one.id));
}

/** The id of each session, with its host if another session has the same id. */
export function distinctIds(sessions: readonly Pick<PastSession, "host" | "id">[]): string[] {
  const times = new Map<string, number>();
  for (const { id } of sessions) times.set(id, (times.get(id) ?? 0) + 1);
  return sessions.map(({ host, id }) => ((times.get(id) ?? 0) > 1 ? `${host}:${id}` : id));
}

/** Marks text of an abandoned branch, which may no longer hold. */
export const ABANDONED = " (on a branch that was left)";

/** One of several cited turns. */
export function numbered(i: number, turn: Omit<Citation, "excerpt">, words: string): string {
  return `${i + 1}. ${citedLine(turn, words)}`;
}

/** A turn's id comes from its transcript and may be any text. */
export function citedLine({ role, at, entryId, isLeft }: Omit<Citation, "excerpt">, words: string): string {
  const when = at === undefined ? "" : `, ${minute(at)}`;
  return `${role}${when}, turn ${oneLine(entryId, 200)}${isLeft ? ABANDONED : ""}: ${words}`;
}
