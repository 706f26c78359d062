import { ContinuoError } from "../../../base/errors.ts";
import type { Sessions } from "../../../sources/sessions/library.ts";
import type { Passage, SessionKey } from "../../../sources/sessions/session.ts";
import type { Conversation, ShownTurn } from "../../api/conversation.ts";
import { verbOf } from "./conversation-calls.ts";
import { shown } from "./conversation-turns.ts";

const MOST_CHARACTERS = 30_000;

/** The part of a conversation that a page requests. */
export interface Asked {
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  readonly around?: string | undefined;
  readonly limit: number;
}

/** The conversation as far as it is indexed, for a session whose transcript is gone. Cursors are positions. */
export function indexedConversation(
  sessions: Sessions,
  key: SessionKey,
  { before, after, around, limit }: Asked,
  notices: readonly string[],
): Conversation {
  const turns = turnsOf(sessions.allPassages(key));
  const wanted = around === undefined ? -1 : turns.findIndex(({ id }) => id === around);
  if (around !== undefined && wanted === -1)
    throw new ContinuoError("no-such-turn", "the index has no text of this turn");
  const end =
    wanted !== -1
      ? Math.min(turns.length, wanted + Math.ceil(limit / 2))
      : after === undefined
        ? position(before, turns.length)
        : Math.min(turns.length, position(after, 0) + limit);
  const begin = after === undefined || wanted !== -1 ? Math.max(0, end - limit) : position(after, 0);
  return {
    source: "index",
    turns: turns.slice(begin, end),
    before: begin <= 0 ? null : `index.${begin}`,
    after: `index.${end}`,
    isEnd: end >= turns.length,
    notices,
  };
}

/** A cursor of the former transcript is not valid here. */
function position(cursor: string | undefined, otherwise: number): number {
  const at = /^index\.(\d{1,9})$/.exec(cursor ?? "")?.[1];
  return at === undefined ? otherwise : Number(at);
}

/** Passages of one turn are consecutive, and are joined. */
function turnsOf(passages: readonly Passage[]): ShownTurn[] {
  const turns: ShownTurn[] = [];
  for (const { turn: id, role, text, isCalls, time, isLeft, at } of passages) {
    const last = turns.at(-1);
    if (last?.id === id && !isCalls && last.calls.length === 0) {
      turns[turns.length - 1] = { ...last, said: shown(last.said.text + text, MOST_CHARACTERS) };
      continue;
    }
    turns.push({
      id: isCalls ? `${id}:calls` : id,
      place: `index.${at}`,
      role,
      said: isCalls ? { text: "" } : shown(text, MOST_CHARACTERS),
      calls: isCalls ? text.split("\n").slice(0, 100).map(callOf) : [],
      answers: [],
      images: [],
      at: time,
      marks: [
        ...(isLeft ? (["otherBranch"] as const) : []),
        ...(role === "summary" ? (["compaction"] as const) : []),
      ],
    });
  }
  return turns;
}

/** The index stores the tool's name and its files or command. */
function callOf(line: string) {
  const [, name = line, about = ""] = /^(\S+) (.*)$/.exec(line) ?? [];
  return { name, verb: verbOf(name), about, files: [], input: { text: "" } };
}
