import { clipWithin } from "../../base/text.ts";
import { quoteLine } from "../../compose/escape.ts";
import type { Citation } from "./ask.ts";
import type { PastSession } from "./session.ts";

/** Names and words of a transcript may hold line feeds, our own tags or a host's: in a line of ours they are only text. */
export function oneLine(text: string, longest: number): string {
  return clipWithin(quoteLine(text), longest);
}

export function day(time: number): string {
  return minute(time).slice(0, 10);
}

/** A clock that was wrong must not fail an answer. */
export function minute(time: number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime())
    ? "at an unknown time"
    : date.toISOString().slice(0, 16).replace("T", " ");
}

/** How a session is told apart from others: its name, its host, its day, and the id that always finds it. */
export function label({
  name,
  host,
  id,
  modified,
}: Pick<PastSession, "name" | "host" | "id" | "modified">): string {
  return `"${oneLine(name, 100)}" (${host}, ${day(modified)}, @@${oneLine(id, 200)})`;
}

/** The person went back and on another way: what was said there may not hold. */
export const LEFT = " (on a branch that was left)";

/** One of several turns that answer, with words of it. */
export function numbered(i: number, turn: Omit<Citation, "excerpt">, words: string): string {
  return `${i + 1}. ${citedLine(turn, words)}`;
}

/** A turn's id comes from its transcript, and may be anything. */
export function citedLine({ role, at, entryId, isLeft }: Omit<Citation, "excerpt">, words: string): string {
  const when = at === undefined ? "" : `, ${minute(at)}`;
  return `${role}${when}, turn ${oneLine(entryId, 200)}${isLeft ? LEFT : ""}: ${words}`;
}
