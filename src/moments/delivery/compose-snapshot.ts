import { type Composition, compose } from "../../compose/compose.ts";
import type { Item, Section } from "../../compose/section.ts";
import type { MomentRun } from "../engine/moment-run.ts";
import type { SessionState, WaitingPart } from "../state/session-state.ts";
import type { CompactedMoment } from "../types.ts";
import { earlierOf, withoutItems } from "./delivered-items.ts";
import { limitsOf } from "./limits.ts";
import { waitingParts } from "./waiting-parts.ts";

/** A snapshot and the parts in which it is shown. */
export interface MadeSnapshot {
  readonly made: Composition;
  readonly parts: readonly WaitingPart[];
  /** Keys of the items that the snapshot had or left out, for the next compaction. */
  readonly keys?: readonly string[];
  /** What is not in the snapshot itself, because that stays as it was. */
  readonly tail?: string;
}

/** How much more a snapshot may have after a compaction. */
const AFTER_COMPACTION = 4 / 3;

/** `compaction`: the snapshot follows a compaction, and this was the session's state. */
export function composeSnapshot(
  run: MomentRun,
  sections: readonly Section[],
  compaction?: { readonly moment: CompactedMoment; readonly before: SessionState | undefined },
): MadeSnapshot {
  const { snapshotAim } = run.config;
  // A session that goes on needs its files in use besides what it had at its start.
  const aim = compaction === undefined ? snapshotAim : Math.floor(snapshotAim * AFTER_COMPACTION);
  const { before, moment } = compaction ?? {};
  const earlier = before && earlierOf(before);
  const keys = before?.snapshot?.keys;
  if (moment?.keepsSnapshot !== true || keys === undefined) {
    const made = compose("snapshot", sections, limitsOf(run, aim), [], earlier);
    return { made, parts: waitingParts(made, "snapshot"), keys: keysOf(made) };
  }
  // The snapshot has what it had, so that its bytes are the same if nothing of it changed. All else follows the summary.
  const had = new Set(keys);
  const first = compose(
    "snapshot",
    withoutMarks(withoutItems(sections, (key) => !had.has(key))),
    limitsOf(run, aim),
    [],
    earlier,
  );
  const left = Math.max(aim - first.tokens, Math.floor(aim / 2));
  // A mark would change the bytes at the front: a marked item is repeated behind the summary instead.
  const rest = withoutItems(sections, (key, item) => had.has(key) && item.mark === undefined);
  const second = compose("addition", rest, limitsOf(run, left), [], earlier);
  return {
    made: joined(first, second),
    parts: [...waitingParts(first, "snapshot"), ...waitingParts(second, "addition")],
    keys: keysOf(first),
    tail: second.text || undefined,
  };
}

function withoutMarks(sections: readonly Section[]): Section[] {
  return sections.map((section) => ({
    ...section,
    // Copying an item reads its text, so only marked ones are copied: they are few.
    items: section.items.map((item) => (item.mark === undefined ? item : unmarked(item))),
  }));
}

function unmarked({ mark: _, ...item }: Item): Item {
  return item;
}

function keysOf({ items, dropped }: Composition): string[] {
  return [...items, ...dropped].map((item) => `${item.source}/${item.key}`);
}

function joined(first: Composition, second: Composition): Composition {
  return {
    text: [first.text, second.text].filter((text) => text !== "").join("\n"),
    tokens: first.tokens + second.tokens,
    fingerprint: first.fingerprint,
    items: [...first.items, ...second.items],
    dropped: [...first.dropped, ...second.dropped],
    sections: [...first.sections, ...second.sections],
    parts: [...first.parts, ...second.parts],
  };
}
