import { fingerprint } from "../base/fingerprint.ts";
import { type Bound, type Budget, type Candidate, candidates, type Earlier, order, Tally } from "./budget.ts";
import { type Draft, piecesOf, renderDraft, tokensOf } from "./parts.ts";
import type { BlockKind, Numbered } from "./render.ts";
import { sizeOf } from "./room.ts";
import type { Item, Section } from "./section.ts";
import { fitting, isCounted, type Selection, select } from "./select.ts";

/** One delivered item, for the ledger and the session's state. */
export interface DeliveredItem {
  readonly source: string;
  readonly key: string;
  readonly name: string;
  readonly reason: string;
  readonly tokens: number;
  readonly hash: string;
  /** Set if this is only a piece of the text, which is longer than a part. */
  readonly piece?: Numbered;
  /** Set if this says that an earlier text of the item no longer holds. */
  readonly withdraws?: boolean;
  /** Set if the item is about something that just happened: a compaction does not restore it. */
  readonly isPassing?: boolean;
  /** For a dropped item: what kept it out. */
  readonly bound?: Bound;
}

/** A rendered block, or one of several parts that a host takes one by one: the exact text and its items. */
export interface ComposedPart {
  readonly text: string;
  readonly tokens: number;
  readonly items: readonly DeliveredItem[];
}

export interface Composition {
  /** All parts, joined. */
  readonly text: string;
  readonly tokens: number;
  readonly fingerprint: string;
  readonly items: readonly DeliveredItem[];
  readonly dropped: readonly DeliveredItem[];
  /** The delivered items by section, for the lines that the user sees. */
  readonly sections: readonly Section[];
  /** Empty if there is nothing to deliver. One part, unless the host's room is too small for it. */
  readonly parts: readonly ComposedPart[];
}

/** How many dropped items a note names; the rest are only counted. */
const NAMED = 5;

/**
 * Turns sections into text. Pure: the same sections and budget give the same bytes. `tokens` is an upper bound of
 * what `countTokens` gives for the text: the sum of its pieces, with a token for each newline between them.
 */
export function compose(
  kind: BlockKind,
  sections: readonly Section[],
  budget: Budget,
  notes: readonly string[] = [],
  earlier?: Earlier,
): Composition {
  const all = candidates(order(sections), earlier);
  const selection = chooseFrom(kind, all, budget, notes);
  // Not even the notes fit: a limit this small means that the user wants nothing.
  if (selection === undefined || all.length + notes.length === 0)
    return composition(kind, [], all, () => "limit");
  const { kept, dropped, boundOn } = selection;
  // Dropped items are named if there is space, but never at the cost of an item or of another part.
  const named = fitting(kind, kept, [...droppedNote(dropped.filter(isCounted), NAMED), ...notes], budget);
  const isSmall = named !== undefined && named.length <= selection.drafts.length && selection.isNoted;
  return composition(kind, isSmall ? named : selection.drafts, dropped, boundOn);
}

/** If only an item or the note about dropped items fits, the item wins. */
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

function composition(
  kind: BlockKind,
  laidOut: readonly Draft[],
  dropped: readonly Candidate[],
  boundOn: (one: Candidate) => Bound,
): Composition {
  // A block without items or notes is omitted: its tags would cost tokens for nothing.
  const drafts = laidOut.filter(({ groups, notes }) => groups.length + notes.length > 0);
  const isNumbered = drafts.length > 1;
  const parts = drafts.map((draft, i) => ({
    text: renderDraft(kind, draft, isNumbered ? { part: i + 1, of: drafts.length } : undefined),
    tokens: tokensOf(kind, draft, isNumbered),
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
    dropped: dropped.map((one) => ({ ...delivered(one, one.item.hash), bound: boundOn(one) })),
    sections: deliveredSections(drafts),
    parts,
  };
}

function deliveredSections(drafts: readonly Draft[]): Section[] {
  const items = new Map<Section, Item[]>();
  for (const { of, numbered } of drafts.flatMap(piecesOf)) {
    if (!isLast(numbered)) continue;
    const some = items.get(of.section);
    if (some === undefined) items.set(of.section, [of.item]);
    else some.push(of.item);
  }
  return [...items].map(([section, some]) => ({ ...section, items: some }));
}

/** With the last piece, the model has the whole item. */
function isLast(numbered: Numbered | undefined): boolean {
  return numbered === undefined || numbered.part === numbered.of;
}

/** The hash is that of the shown text, so the text of a dropped item need not be read. */
function delivered(candidate: Candidate, hash = fingerprint(candidate.item.text)): DeliveredItem {
  const { section, item, tokens } = candidate;
  return {
    source: section.source,
    key: item.key,
    name: item.name,
    reason: item.reason,
    tokens,
    hash,
    ...(item.withdraws === true ? { withdraws: true } : {}),
    ...(section.isPassing === true ? { isPassing: true } : {}),
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

/**
 * Makes no promise, because the user reads it too after `/compact`, and so does the model, even if Continuo then fails.
 */
const KEEP_OUT = "Leave the text inside the <continuo> block out of the summary.";

/**
 * The handover: text for the host's summariser. Plain text, because hosts append it to their own instructions; quoted, so
 * that it cannot close the host's frame; whole items only, within the same limits as everything else.
 */
export function renderHandover(sections: readonly Section[], hasBlocks: boolean, budget: Budget): string {
  if (budget.limit === 0) return "";
  const { room } = budget;
  const tally = new Tally("snapshot", budget);
  let text = hasBlocks ? KEEP_OUT : "";
  for (const one of candidates(order(sections))) {
    const longer = text === "" ? one.text : `${text}\n\n${one.text}`;
    if (room !== undefined && sizeOf(longer, room) > room.most) continue;
    if (tally.take(one)) text = longer;
  }
  return text;
}
