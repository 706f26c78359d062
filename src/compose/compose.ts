import type { Section, SourceName } from "../moments/types.ts";
import { type Budget, type Candidate, choose, costOf, order } from "./budget.ts";
import { fingerprint } from "./fingerprint.ts";
import { type BlockKind, renderBlock } from "./render.ts";

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
  readonly fingerprint: string;
  readonly items: readonly DeliveredItem[];
  readonly dropped: readonly DeliveredItem[];
}

/** How many of the dropped items are named before the note only counts. */
const NAMED = 5;

/**
 * Sections in, text out. Pure: the same sections and budget give the same bytes. `tokens` is an upper bound: what the
 * parts cost one by one, since text joined costs at most two tokens more than its parts.
 */
export function compose(
  kind: BlockKind,
  sections: readonly Section[],
  budget: Budget,
  notes: readonly string[] = [],
): Composition {
  const { kept, dropped } = choose(order(sections), budget);
  for (;;) {
    const allNotes = [...droppedNote(dropped), ...notes];
    const text = renderBlock(kind, regroup(kept), allNotes);
    const tokens = text === "" ? 0 : costOf(kept, allNotes);
    if (tokens <= budget.limit && text.length <= (budget.maxChars ?? Number.POSITIVE_INFINITY)) {
      return composition(text, tokens, kept, dropped);
    }
    const last = kept.pop();
    // Not even the notes fit: a limit this small means that nothing is wanted.
    if (last === undefined) return composition("", 0, [], dropped);
    dropped.push(last);
  }
}

function composition(
  text: string,
  tokens: number,
  kept: readonly Candidate[],
  dropped: readonly Candidate[],
): Composition {
  return {
    text,
    tokens,
    fingerprint: fingerprint(text),
    items: kept.map(delivered),
    dropped: dropped.map(delivered),
  };
}

function delivered(candidate: Candidate): DeliveredItem {
  const { section, item, tokens } = candidate;
  return {
    source: section.source,
    key: item.key,
    name: item.name,
    reason: item.reason,
    tokens,
    hash: fingerprint(item.text),
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
