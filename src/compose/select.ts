import { type Budget, type Candidate, noteTokens, Tally } from "./budget.ts";
import { type Draft, layOut, tokensOf } from "./parts.ts";
import type { BlockKind } from "./render.ts";

export interface Selection {
  /** In the order in which sections are rendered. */
  readonly kept: readonly Candidate[];
  readonly dropped: readonly Candidate[];
  readonly drafts: readonly Draft[];
}

/**
 * Chooses whole items, the most important first, as long as the block with its notes is within every limit. An item that
 * does not fit is passed over and smaller ones after it still get their chance, until none of those left out would fit
 * beside what was chosen. `notesFor` tells which notes a block needs that leaves this many out.
 */
export function select(
  kind: BlockKind,
  all: readonly Candidate[],
  budget: Budget,
  notesFor: (leftOut: number) => readonly string[],
): Selection | undefined {
  const attempt = (chosen: readonly Candidate[], spent: number) => {
    const notes = notesFor(all.length - chosen.length);
    // Most that do not fit are seen here, before anything is laid out.
    if (spent + noteTokens(notes) > budget.limit) return undefined;
    return fitting(kind, inOrder(chosen), notes, budget);
  };
  let tally = new Tally(budget);
  let chosen = all.filter((one) => tally.take(one));
  let drafts = attempt(chosen, tally.spent);
  if (drafts === undefined) {
    tally = new Tally(budget);
    chosen = [];
    drafts = attempt(chosen, tally.spent);
  }
  let left = difference(all, chosen);
  // What is chosen changes the notes, so an item that did not fit may fit in the end.
  for (let before = -1; before !== chosen.length; ) {
    before = chosen.length;
    for (const one of left) {
      if (!tally.admits(one)) continue;
      const more = [...chosen, one];
      const next = attempt(more, tally.spent + tally.costOf(one));
      if (next === undefined) continue;
      tally.take(one);
      chosen = more;
      drafts = next;
    }
    left = difference(left, chosen);
  }
  return drafts && { kept: inOrder(chosen), dropped: left, drafts };
}

function inOrder(chosen: readonly Candidate[]): Candidate[] {
  return [...chosen].sort((a, b) => a.place - b.place);
}

function difference(all: readonly Candidate[], some: readonly Candidate[]): readonly Candidate[] {
  const taken = new Set(some);
  return taken.size === 0 ? all : all.filter((one) => !taken.has(one));
}

/** The parts of a block, if they are within the room and their tags within the limit. */
export function fitting(
  kind: BlockKind,
  kept: readonly Candidate[],
  notes: readonly string[],
  budget: Budget,
): Draft[] | undefined {
  const drafts = layOut(kind, kept, notes, budget.room);
  if (drafts === undefined) return undefined;
  return costOf(drafts) <= budget.limit ? drafts : undefined;
}

export function costOf(drafts: readonly Draft[]): number {
  return drafts.reduce((sum, draft) => sum + tokensOf(draft, drafts.length > 1), 0);
}
