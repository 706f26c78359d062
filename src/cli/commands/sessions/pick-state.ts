import type { PastSession } from "../../../sources/sessions/session.ts";
import type { Key } from "../../terminal/keys.ts";
import { type Searchable, scoreOf, wordsOf } from "./pick-match.ts";

/** A session that can be picked. */
export interface Candidate {
  readonly session: PastSession;
  /** As it is shown, on one line. */
  readonly name: string;
  readonly project: string;
  /** As people call it. */
  readonly agent: string;
  readonly text: Searchable;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Everything that the picker shows follows from this. */
export interface PickState extends Size {
  /** The newest first. */
  readonly all: readonly Candidate[];
  readonly query: string;
  /** Those that fit the query, the best first, then those that only the index finds; without a query, all. */
  readonly found: readonly Candidate[];
  /** What the index found for this query; undefined until it has answered. */
  readonly indexed?: readonly PastSession[];
  /** How many of `found` only the index finds. */
  readonly extra: number;
  /** A place in `found`; 0 if that is empty. */
  readonly selected: number;
  /** The first one on the screen. */
  readonly top: number;
  /** Undefined: shown where there is room beside the list. */
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
/** Narrower, list and preview do not fit beside each other. */
export const WIDE = 96;
/** The line of the query, the line below it, and the keys. */
const FRAME = 3;

export function startPicking(all: readonly Candidate[], size: Size): PickState {
  return { all, query: "", found: all, extra: 0, selected: 0, top: 0, ...size };
}

/** With so many sessions found by name, the person is not looking for one by what was said in it. */
const FEW = 5;
const SHORTEST_QUERY = 3;

/** Whether the index should be asked: few names fit what was typed, and it has not answered. */
export function wantsIndex({ query, found, extra, indexed }: PickState): boolean {
  const isLong = query.replace(/\s/g, "").length >= SHORTEST_QUERY;
  return indexed === undefined && isLong && found.length - extra < FEW;
}

/** Adds what the index found. An answer to an older query is dropped. What is selected stays so. */
export function offer(state: PickState, query: string, indexed: readonly PastSession[]): PickState {
  return query === state.query ? arrange(state, state.all, indexed) : state;
}

export const isWide = ({ width }: PickState): boolean => width >= WIDE;

/** Whether the preview is on the screen, beside the list or instead of it. */
export const hasPreview = (state: PickState): boolean => state.preview ?? isWide(state);

export const rowsOf = ({ height }: PickState): number => Math.max(1, height - FRAME);

/** The rows of the list that have a session: one is the heading above what only the index finds. */
const sessionRowsOf = (state: PickState): number => Math.max(1, rowsOf(state) - (state.extra > 0 ? 1 : 0));

/** The state after a key, or the decision. */
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
      // Back to what this width shows anyway: a window that gets wider shows the preview again.
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
      return calm; // a key that means nothing here
  }
}

export function resize(state: PickState, size: Size): PickState {
  return move({ ...state, ...size }, state.selected);
}

/** The same sessions with more to search. What is selected stays so: Enter may be on its way. */
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

/** Shorter words are compared in fewer ways, so what they find need not include what a longer one finds. */
const COMPARED_FULLY = 3;

/** Whether the new query can only find what the old one found. */
function isNarrower(before: string, after: string): boolean {
  const last = /\S*$/.exec(before)?.[0] ?? "";
  return after.startsWith(before) && before.trim() !== "" && (last === "" || last.length >= COMPARED_FULLY);
}

/** Of equal score the newest first. */
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

/** Selects this place, or the nearest that exists, and scrolls only as far as needed. */
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
