import { clipWithin } from "../../base/text.ts";
import { quoteLine } from "../../compose/escape.ts";
import type { Citation } from "./answers/quotes.ts";
import type { PastSession } from "./session.ts";

/**
 * Names and text from a transcript may contain line feeds or tags of Continuo or a host. Here they become plain text
 * on one line.
 */
export function oneLine(text: string, longest: number): string {
  return clipWithin(quoteLine(text), longest);
}

export function day(time: number): string {
  return minute(time).slice(0, 10);
}

/** A wrong clock must not make an answer fail. */
export function minute(time: number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime())
    ? "at an unknown time"
    : date.toISOString().slice(0, 16).replace("T", " ");
}

/** Identifies a session: its name, host, day, and the id that always finds it. */
export function label({
  name,
  host,
  id,
  modified,
}: Pick<PastSession, "name" | "host" | "id" | "modified">): string {
  return `"${oneLine(name, 100)}" (${host}, ${day(modified)}, @@${oneLine(id, 200)})`;
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
