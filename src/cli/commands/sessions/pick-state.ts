import type { PastSession } from "../../../sources/sessions/session.ts";
import type { Key } from "../../terminal/keys.ts";
import { type Searchable, scoreOf, wordsOf } from "./pick-match.ts";

/** A session that can be picked. */
export interface Candidate {
  readonly session: PastSession;
  /** As shown, on one line. */
  readonly name: string;
  readonly project: string;
  /** The agent's display name. */
  readonly agent: string;
  readonly text: Searchable;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The whole state of the picker: what it shows is derived from this. */
export interface PickState extends Size {
  /** The newest first. */
  readonly all: readonly Candidate[];
  readonly query: string;
  /** The matching sessions, best first, followed by those that only the index found; without a query, all. */
  readonly found: readonly Candidate[];
  /** The index's results for this query; undefined until it has answered. */
  readonly indexed?: readonly PastSession[];
  /** How many of `found` come only from the index. */
  readonly extra: number;
  /** An index in `found`; 0 if that is empty. */
  readonly selected: number;
  /** The first session on the screen. */
  readonly top: number;
  /** Undefined: shown if there is space beside the list. */
  readonly preview?: boolean;
  /** Why the last Enter did nothing. */
  readonly message?: string;
}

/** What the person decided. */
export type Decision =
  | { readonly kind: "leave" }
  | { readonly kind: "interrupt" }
  | { readonly kind: "chosen"; readonly session: PastSession };

const MOST_TYPED = 200;
/** On a narrower screen, list and preview do not fit side by side. */
export const WIDE = 96;
/** The line of the query, the line below it, and the keys. */
const FRAME = 3;

export function startPicking(all: readonly Candidate[], size: Size): PickState {
  return { all, query: "", found: all, extra: 0, selected: 0, top: 0, ...size };
}

/** With more sessions found by name, the user is probably not searching by what was said. */
const FEW = 5;
const SHORTEST_QUERY = 3;

/** Whether to ask the index: few names match, and it has not answered yet. */
export function wantsIndex({ query, found, extra, indexed }: PickState): boolean {
  const isLong = query.replace(/\s/g, "").length >= SHORTEST_QUERY;
  return indexed === undefined && isLong && found.length - extra < FEW;
}

/** Adds the index's results. An answer to an older query is dropped. The selection stays. */
export function offer(state: PickState, query: string, indexed: readonly PastSession[]): PickState {
  return query === state.query ? arrange(state, state.all, indexed) : state;
}

export const isWide = ({ width }: PickState): boolean => width >= WIDE;

/** Whether the preview is on the screen, beside the list or instead of it. */
export const hasPreview = (state: PickState): boolean => state.preview ?? isWide(state);

export const rowsOf = ({ height }: PickState): number => Math.max(1, height - FRAME);

/** The rows of the list with a session: one row is the heading above the index's results. */
const sessionRowsOf = (state: PickState): number => Math.max(1, rowsOf(state) - (state.extra > 0 ? 1 : 0));

/** The state after a key, or the user's decision. */
export function press(state: PickState, key: Key): PickState | Decision {
  const { message: _, ...calm } = state;
  const page = rowsOf(state);
  switch (key.name) {
    case "interrupt":
      return { kind: "interrupt" };
    case "escape":
    case "eof":
      return { kind: "leave" };
    case "enter": {
      const session = state.found[state.selected]?.session;
      return session === undefined ? calm : { kind: "chosen", session };
    }
    case "tab": {
      const { preview: _, ...usual } = calm;
      const isWanted = !hasPreview(state);
      // Resets to this width's default, so that a window that gets wider shows the preview again.
      return isWanted === isWide(state) ? usual : { ...usual, preview: isWanted };
    }
    case "up":
      return move(calm, state.selected - 1);
    case "down":
      return move(calm, state.selected + 1);
    case "pageup":
      return move(calm, state.selected - page);
    case "pagedown":
      return move(calm, state.selected + page);
    case "home":
      return move(calm, 0);
    case "end":
      return move(calm, state.found.length - 1);
    case "backspace":
      return search(calm, [...state.query].slice(0, -1).join(""));
    case "clear":
      return search(calm, "");
    case "word":
      return search(calm, state.query.replace(/\S*\s*$/u, ""));
    case "text": {
      const text = key.text.replace(/\s+/g, " ");
      return search(calm, (state.query + text).trimStart().slice(0, MOST_TYPED).toWellFormed());
    }
    default:
      return calm; // an ignored key
  }
}

export function resize(state: PickState, size: Size): PickState {
  return move({ ...state, ...size }, state.selected);
}

/** The same sessions with more searchable text. The selection stays, because Enter may follow at once. */
export function enrich(state: PickState, all: readonly Candidate[]): PickState {
  return arrange(state, all, state.indexed);
}

function arrange(
  state: PickState,
  all: readonly Candidate[],
  indexed: readonly PastSession[] | undefined,
): PickState {
  const selected = state.found[state.selected]?.session;
  const direct = filtered(all, wordsOf(state.query));
  const known = new Set(direct.map(({ session }) => session));
  const isFew = direct.length < FEW;
  const others = (isFew ? (indexed ?? []) : []).filter((session) => !known.has(session));
  const more = others.flatMap((wanted) => all.find(({ session }) => session === wanted) ?? []);
  const found = [...direct, ...more];
  const at = found.findIndex(({ session }) => session === selected);
  const next = { ...state, all, found, extra: more.length, ...(indexed !== undefined && { indexed }) };
  return move(next, Math.max(0, at));
}

function search(state: PickState, query: string): PickState {
  if (query === state.query) return state;
  const { indexed: _, ...fresh } = state;
  const words = wordsOf(query);
  const before = state.found.slice(0, state.found.length - state.extra);
  const found = filtered(isNarrower(state.query, query) ? before : state.all, words);
  return move({ ...fresh, query, found, extra: 0, top: 0 }, 0);
}

/** Shorter words are matched in fewer ways, so their results need not include those of a longer word. */
const COMPARED_FULLY = 3;

/** Whether the new query's results must be a subset of the old ones. */
function isNarrower(before: string, after: string): boolean {
  const last = /\S*$/.exec(before)?.[0] ?? "";
  return after.startsWith(before) && before.trim() !== "" && (last === "" || last.length >= COMPARED_FULLY);
}

/** Newest first among equal scores. */
export function filtered(all: readonly Candidate[], words: readonly string[]): readonly Candidate[] {
  if (words.length === 0) return all;
  const scored = all.flatMap((one) => {
    const score = scoreOf(words, one.text);
    return score === 0 ? [] : [{ one, score }];
  });
  return scored
    .sort((a, b) => b.score - a.score || b.one.session.modified - a.one.session.modified)
    .map(({ one }) => one);
}

/** Selects this index, or the nearest existing one, and scrolls only as far as necessary. */
function move(state: PickState, to: number): PickState {
  const rows = sessionRowsOf(state);
  const count = state.found.length;
  const selected = Math.max(0, Math.min(to, count - 1));
  const top = Math.max(
    0,
    Math.min(Math.max(state.top, selected - rows + 1), selected, Math.max(0, count - rows)),
  );
  return { ...state, selected, top };
}
