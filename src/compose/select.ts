import { type Bound, type Budget, type Candidate, noteTokens, Tally } from "./budget.ts";
import { type Draft, layOut, tokensOf } from "./parts.ts";
import type { BlockKind } from "./render.ts";

export interface Selection {
  /** In the order in which sections are rendered. */
  readonly kept: readonly Candidate[];
  readonly dropped: readonly Candidate[];
  readonly drafts: readonly Draft[];
  /** What keeps a dropped item out. */
  boundOn(one: Candidate): Bound;
}

/**
 * Chooses whole items, the most important first, as long as the block with its notes is within every limit. An item that
 * does not fit is skipped, and smaller ones after it are still tried, until none of the remaining items would fit.
 * `notesFor` returns the notes that a block needs if this many items are left out, choices not counted.
 */
export function select(
  kind: BlockKind,
  all: readonly Candidate[],
  budget: Budget,
  notesFor: (leftOut: number) => readonly string[],
): Selection | undefined {
  const counted = all.filter(isCounted).length;
  const attempt = (chosen: readonly Candidate[], spent: number) => {
    const notes = notesFor(counted - chosen.filter(isCounted).length);
    // Most sets that do not fit are rejected here, before anything is laid out.
    if (spent + noteTokens(notes) > budget.limit) return undefined;
    return fitting(kind, inOrder(chosen), notes, budget);
  };
  let tally = new Tally(kind, budget);
  let chosen = all.filter((one) => tally.take(one));
  let drafts = attempt(chosen, tally.spent);
  if (drafts === undefined) {
    tally = new Tally(kind, budget);
    chosen = [];
    drafts = attempt(chosen, tally.spent);
  }
  let left = difference(all, chosen);
  let failures = 0;
  // The choice changes the notes, so an item that did not fit at first may fit later.
  for (let before = -1; before !== chosen.length && failures < MAX_FAILURES; ) {
    before = chosen.length;
    // Several at once while that succeeds: laying out the block again for each item would take quadratic time.
    for (let at = 0, step = 1; at < left.length && failures < MAX_FAILURES; ) {
      const trial = tally.copy();
      const room = budget.limit - (drafts === undefined ? 0 : costOf(kind, drafts));
      const group = left.slice(at, at + step);
      const more = group.filter((one) => one.tokens <= room && trial.take(one));
      const next = more.length === 0 ? undefined : attempt([...chosen, ...more], trial.spent);
      if (next !== undefined) {
        [tally, drafts, chosen] = [trial, next, [...chosen, ...more]];
        step *= 2;
      } else if (more.length > 1) {
        step = Math.floor(step / 2);
        continue;
      } else if (more.length === 1) failures++;
      at += group.length;
    }
    left = difference(left, chosen);
  }
  return (
    drafts && {
      kept: inOrder(chosen),
      dropped: left,
      drafts,
      // Within all limits, but the item or the notes about the others are too long for the parts.
      boundOn: (one) => tally.boundOn(one) ?? (budget.room === undefined ? "limit" : "room"),
    }
  );
}

/**
 * How many items may turn out not to fit only after the block was laid out with them. Real rules stay far below;
 * thousands of hostile ones must not keep the hook busy.
 */
const MAX_FAILURES = 200;

/** Whether a note mentions it if it is left out. */
export function isCounted({ section }: Candidate): boolean {
  return section.isChoice !== true;
}

function inOrder(chosen: readonly Candidate[]): Candidate[] {
  return [...chosen].sort((a, b) => a.place - b.place);
}

function difference(all: readonly Candidate[], some: readonly Candidate[]): readonly Candidate[] {
  const taken = new Set(some);
  return taken.size === 0 ? all : all.filter((one) => !taken.has(one));
}

/** The parts of a block, if they fit the room and, with their tags, the limit. */
export function fitting(
  kind: BlockKind,
  kept: readonly Candidate[],
  notes: readonly string[],
  budget: Budget,
): Draft[] | undefined {
  const drafts = layOut(kind, kept, notes, budget.room);
  if (drafts === undefined) return undefined;
  return costOf(kind, drafts) <= budget.limit ? drafts : undefined;
}

function costOf(kind: BlockKind, drafts: readonly Draft[]): number {
  return drafts.reduce((sum, draft) => sum + tokensOf(kind, draft, drafts.length > 1), 0);
}
