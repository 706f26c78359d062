import type { Section, SourceName } from "../moments/types.ts";
import { type Budget, type Candidate, choose, order } from "./budget.ts";
import { sha256 } from "./hash.ts";
import { type BlockKind, renderBlock } from "./render.ts";
import { countTokens } from "./tokens.ts";

/** One delivered item as the ledger and the session's state keep it. */
export interface DeliveredItem {
  readonly source: SourceName;
  readonly key: string;
  readonly name: string;
  readonly reason: string;
  readonly tokens: number;
  readonly hash: string;
}

/** A rendered block: the exact bytes, and what is in them. */
export interface Composition {
  readonly text: string;
  readonly tokens: number;
  readonly sha256: string;
  readonly items: readonly DeliveredItem[];
  readonly dropped: readonly DeliveredItem[];
}

/** How many of the dropped items are named before the note only counts. */
const NAMED = 5;

/**
 * Sections in, text out. Pure: the same sections and budget give the same bytes. The estimates of `choose` are
 * checked against the rendered whole, and the least important item goes until the block truly fits.
 */
export function compose(
  kind: BlockKind,
  sections: readonly Section[],
  budget: Budget,
  notes: readonly string[] = [],
): Composition {
  const { kept, dropped } = choose(order(sections), budget);
  for (;;) {
    const text = renderBlock(kind, regroup(kept), [...droppedNote(dropped), ...notes]);
    const tokens = countTokens(text);
    const fits = tokens <= budget.limit && text.length <= (budget.maxChars ?? Number.POSITIVE_INFINITY);
    if (fits)
      return {
        text,
        tokens,
        sha256: sha256(text),
        items: kept.map(delivered),
        dropped: dropped.map(delivered),
      };
    const last = kept.pop();
    // Not even the notes fit: a limit this small means that nothing is wanted.
    if (last === undefined)
      return { text: "", tokens: 0, sha256: sha256(""), items: [], dropped: dropped.map(delivered) };
    dropped.push(last);
  }
}

/** The hash that says whether an item's text was delivered already. */
export function itemHash(text: string): string {
  return sha256(text).slice(0, 16);
}

function delivered(candidate: Candidate): DeliveredItem {
  const { section, item, tokens } = candidate;
  return {
    source: section.source,
    key: item.key,
    name: item.name,
    reason: item.reason,
    tokens,
    hash: itemHash(item.text),
  };
}

/** Back from chosen items to sections, in the order in which `order` put them. */
function regroup(kept: readonly Candidate[]): Section[] {
  const bySection = new Map<Section, Candidate[]>();
  for (const candidate of kept) {
    const group = bySection.get(candidate.section);
    if (group === undefined) bySection.set(candidate.section, [candidate]);
    else group.push(candidate);
  }
  return order(
    [...bySection].map(([section, group]) => ({ ...section, items: group.map((one) => one.item) })),
  );
}

function droppedNote(dropped: readonly Candidate[]): string[] {
  if (dropped.length === 0) return [];
  const names = dropped.slice(0, NAMED).map((one) => `${one.section.title}: ${one.item.name}`);
  const rest = dropped.length - names.length;
  const list = rest > 0 ? `${names.join("; ")}; and ${rest} more` : names.join("; ");
  return [`${dropped.length} left out for lack of room (${list}). "continuo start" lists them.`];
}
