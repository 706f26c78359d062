import { fingerprint } from "../base/fingerprint.ts";
import { type Budget, type Candidate, candidates, order } from "./budget.ts";
import { type Draft, piecesOf, renderDraft, tokensOf } from "./parts.ts";
import type { BlockKind, Numbered } from "./render.ts";
import type { Section } from "./section.ts";
import { fitting, type Selection, select } from "./select.ts";

/** One delivered item as the ledger and the session's state keep it. */
export interface DeliveredItem {
  readonly source: string;
  readonly key: string;
  readonly name: string;
  readonly reason: string;
  readonly tokens: number;
  readonly hash: string;
  /** Only a stretch of its text, which is longer than a part. */
  readonly piece?: Numbered;
}

/** A rendered block, or one of several that a host takes one by one: the exact bytes, and what is in them. */
export interface ComposedPart {
  readonly text: string;
  readonly tokens: number;
  readonly items: readonly DeliveredItem[];
}

export interface Composition {
  /** All parts, one after the other. */
  readonly text: string;
  readonly tokens: number;
  readonly fingerprint: string;
  readonly items: readonly DeliveredItem[];
  readonly dropped: readonly DeliveredItem[];
  /** None where there is nothing to say; one, unless the host's room is too small for it. */
  readonly parts: readonly ComposedPart[];
}

/** How many of the dropped items are named before the note only counts. */
const NAMED = 5;

/**
 * Sections in, text out. Pure: the same sections and budget give the same bytes. `tokens` is an upper bound: what the
 * pieces cost one by one, since text joined costs at most two tokens more than its pieces.
 */
export function compose(
  kind: BlockKind,
  sections: readonly Section[],
  budget: Budget,
  notes: readonly string[] = [],
): Composition {
  const all = candidates(order(sections));
  const selection = chooseFrom(kind, all, budget, notes);
  // Not even the notes fit: a limit this small means that nothing is wanted.
  if (selection === undefined || all.length + notes.length === 0) return composition(kind, [], all);
  const { kept, dropped } = selection;
  // Names are told where there is room for them, and never at the cost of an item or of one more part.
  const named = fitting(kind, kept, [...droppedNote(dropped, NAMED), ...notes], budget);
  const isSmall = named !== undefined && named.length <= selection.drafts.length && selection.isNoted;
  return composition(kind, isSmall ? named : selection.drafts, dropped);
}

/** An item is worth more than a note about what is left out: where only one of them fits, it is the item. */
function chooseFrom(
  kind: BlockKind,
  all: readonly Candidate[],
  budget: Budget,
  notes: readonly string[],
): (Selection & { readonly isNoted: boolean }) | undefined {
  const noted = select(kind, all, budget, (leftOut) => [...countNote(leftOut), ...notes]);
  if (noted !== undefined && (noted.kept.length > 0 || all.length === 0)) return { ...noted, isNoted: true };
  const bare = select(kind, all, budget, () => []);
  if (bare !== undefined && bare.kept.length > 0) return { ...bare, isNoted: false };
  return noted && { ...noted, isNoted: true };
}

function composition(kind: BlockKind, drafts: readonly Draft[], dropped: readonly Candidate[]): Composition {
  const isNumbered = drafts.length > 1;
  const parts = drafts.map((draft, i) => ({
    text: renderDraft(kind, draft, isNumbered ? { part: i + 1, of: drafts.length } : undefined),
    tokens: tokensOf(draft, isNumbered),
    items: piecesOf(draft).map(({ of, tokens, numbered }) => ({
      ...delivered(of),
      ...(numbered === undefined ? {} : { tokens, piece: numbered }),
    })),
  }));
  const text = parts.map((part) => part.text).join("\n");
  return {
    text,
    tokens: parts.reduce((sum, part) => sum + part.tokens, 0),
    fingerprint: fingerprint(text),
    items: drafts.flatMap(piecesOf).flatMap(({ of, numbered }) => (isLast(numbered) ? [delivered(of)] : [])),
    dropped: dropped.map((one) => delivered(one, one.item.hash)),
    parts,
  };
}

/** With its last piece, the model has all of an item. */
function isLast(numbered: Numbered | undefined): boolean {
  return numbered === undefined || numbered.part === numbered.of;
}

/** The hash is that of the text which was really shown; a text that has no room need not be read for it. */
function delivered(candidate: Candidate, hash = fingerprint(candidate.item.text)): DeliveredItem {
  const { section, item, tokens } = candidate;
  return {
    source: section.source,
    key: item.key,
    name: item.name,
    reason: item.reason,
    tokens,
    hash,
  };
}

function droppedNote(dropped: readonly Candidate[], named: number): string[] {
  if (dropped.length === 0) return [];
  const names = dropped.slice(0, named).map((one) => `${one.section.title}: ${one.item.name}`);
  const rest = dropped.length - names.length;
  const list = rest > 0 ? `${names.join("; ")}; and ${rest} more` : names.join("; ");
  return [`${dropped.length} left out for lack of room (${list}). "continuo start" lists them.`];
}

function countNote(leftOut: number): string[] {
  return leftOut === 0 ? [] : [`${leftOut} left out for lack of room. "continuo start" lists them.`];
}
