import type { Budget } from "../../compose/budget.ts";
import { type Composition, compose } from "../../compose/compose.ts";
import type { Room } from "../../compose/room.ts";
import type { Item, Section } from "../../compose/section.ts";
import type { Config } from "../../store/config.ts";
import type { MomentRun } from "../run/moment-run.ts";
import { earlierOf, withoutItems } from "../state/delivered-items.ts";
import type { SessionState, StoredSection, WaitingPart } from "../state/session-state.ts";
import type { CompactedMoment } from "../types.ts";
import { waitingParts } from "./waiting-parts.ts";

/** A snapshot and the parts in which it is shown. */
interface MadeSnapshot {
  readonly made: Composition;
  readonly parts: readonly WaitingPart[];
  /** Keys of the items that the snapshot contained or dropped, for the next compaction. */
  readonly keys?: readonly string[];
  /** New items that are not added to the snapshot itself, because it must not change. */
  readonly tail?: string;
}

/** How much larger a snapshot may be after a compaction. */
const AFTER_COMPACTION = 4 / 3;

/** `compaction`: the session's state before it, if the snapshot follows a compaction. */
export function composeSnapshot(
  run: MomentRun,
  sections: readonly Section[],
  compaction?: { readonly moment: CompactedMoment; readonly before: SessionState | undefined },
): MadeSnapshot {
  const { snapshotAim } = run.config;
  // A session that goes on also needs its files in use, in addition to what it had at its start.
  const aim = compaction === undefined ? snapshotAim : Math.floor(snapshotAim * AFTER_COMPACTION);
  const { before, moment } = compaction ?? {};
  const earlier = before && earlierOf(before);
  const keys = before?.snapshot?.keys;
  if (moment?.keepsSnapshot !== true || keys === undefined) {
    const made = compose("snapshot", sections, limitsOf(run, aim), [], earlier);
    return { made, parts: waitingParts(made, "snapshot"), keys: keysOf(made) };
  }
  // The snapshot keeps its items, so that its bytes are the same if none of them changed. Everything else follows the
  // summary.
  const had = new Set(keys);
  const first = compose(
    "snapshot",
    withoutMarks(withoutItems(sections, (key) => !had.has(key))),
    limitsOf(run, aim),
    [],
    earlier,
  );
  const left = Math.max(aim - first.tokens, Math.floor(aim / 2));
  // A mark would change the bytes at the front, so a marked item is repeated after the summary instead.
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
    // Copying an item reads its text, so only the few marked ones are copied.
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

/**
 * What each source contributed is stored with the snapshot. If a source is late at the next compaction, this is used
 * instead, so that the model loses nothing, and a host with the snapshot at the front of every request keeps its bytes.
 * Rules are stored only if the host runs Continuo itself: their texts are long, and elsewhere the next prompt delivers
 * them.
 */
export function sectionsToStore({ sections }: Composition, run: MomentRun): StoredSection[] {
  const isStored = ({ essential, isOfNow, isPassing }: Section) =>
    isOfNow !== true && isPassing !== true && (!essential || run.isAgentsProcess === true);
  return sections.filter(isStored).flatMap(({ summary: _, items, ...section }) => {
    const lasting = items.filter(({ withdraws }) => withdraws !== true).map(plain);
    return lasting.length === 0 ? [] : [{ ...section, items: lasting }];
  });
}

/** Removes fields about how an item was delivered at that event. Keeps a lazily read text unread. */
function plain({ mark: _, replaces: __, ...item }: Item): Item {
  return item;
}

/** The last snapshot's sections of sources that failed at this compaction, without what was muted since. */
export function keptSections(
  run: MomentRun,
  moment: CompactedMoment,
  before: SessionState | undefined,
  failed: ReadonlySet<string>,
): Section[] {
  const muted = run.mutedFor(moment);
  return (before?.snapshot?.sections ?? [])
    .filter(({ source }) => failed.has(source))
    .map((section) => ({
      ...section,
      items: section.items.filter(({ key }) => muted?.of(section.source, key) === undefined),
    }));
}

export function limitsOf(run: MomentRun, aim: number): Budget {
  return budgetFor(run.config, aim, run.room);
}

/** Rules have their own limit; everything else has `tokenLimit`. If that is 0, nothing is delivered. */
export function budgetFor({ tokenLimit, rulesLimit }: Config, aim: number, room: Room | undefined): Budget {
  return {
    limit: tokenLimit === 0 ? 0 : Math.max(tokenLimit, rulesLimit),
    aim,
    essential: rulesLimit,
    others: tokenLimit,
    room,
  };
}
