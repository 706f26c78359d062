import type { Conversation, ShownTurn } from "../../api/conversation.ts";

/** The loaded part of a conversation. */
export interface TurnList {
  readonly turns: readonly ShownTurn[];
  readonly before: string | null;
  readonly after: string;
  readonly isEnd: boolean;
  readonly source: Conversation["source"];
  readonly notices: readonly string[];
}

/** The most turns kept in the page: those at the far end are loaded again when needed. */
export const MOST_TURNS = 600;

/** Adds a page of turns at the end. A known turn is updated in place. */
export function withLater(list: TurnList, page: Conversation): TurnList {
  const turns = new Map(list.turns.map((turn) => [turn.id, turn]));
  for (const turn of page.turns) turns.set(turn.id, turn);
  const all = [...turns.values()];
  const kept = all.slice(-MOST_TURNS);
  return {
    turns: kept,
    before: kept.length < all.length ? (kept[0]?.place ?? list.before) : list.before,
    after: page.after,
    isEnd: page.isEnd,
    source: page.source,
    notices: joined(list.notices, page.notices),
  };
}

/** Adds a page of turns at the beginning. Already loaded turns are newer, or the same. */
export function withEarlier(list: TurnList, page: Conversation): TurnList {
  const known = new Set(list.turns.map(({ id }) => id));
  const all = [...page.turns.filter(({ id }) => !known.has(id)), ...list.turns];
  const kept = all.slice(0, MOST_TURNS);
  const isCut = kept.length < all.length;
  return {
    turns: kept,
    before: page.before,
    after: isCut ? (all[kept.length]?.place ?? list.after) : list.after,
    isEnd: isCut ? false : list.isEnd,
    source: list.source,
    notices: joined(list.notices, page.notices),
  };
}

export function asList({ turns, before, after, isEnd, source, notices }: Conversation): TurnList {
  return { turns, before, after, isEnd, source, notices };
}

const joined = (a: readonly string[], b: readonly string[]): readonly string[] => [...new Set([...a, ...b])];
