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

/**
 * What each source gave in a snapshot is stored with it. A source that is late at the next compaction then gives what the
 * model had, instead of nothing: the model loses nothing, and a host that has the snapshot in front of every request keeps its
 * bytes. Rules only where the host runs Continuo itself: their texts are long, and elsewhere the next prompt brings them.
 */
export function sectionsToStore({ sections }: Composition, run: MomentRun): StoredSection[] {
  const isStored = ({ essential, isOfNow, isPassing }: Section) =>
    isOfNow !== true && isPassing !== true && (!essential || run.isAgentsProcess === true);
  return sections.filter(isStored).flatMap(({ summary: _, items, ...section }) => {
    const lasting = items.filter(({ withdraws }) => withdraws !== true).map(plain);
    return lasting.length === 0 ? [] : [{ ...section, items: lasting }];
  });
}

/** How it was delivered is of that event. A text may be read only when it is asked for. */
function plain({ mark: _, replaces: __, ...item }: Item): Item {
  return item;
}

/** The sections of the last snapshot whose sources failed at this compaction, without what was muted since. */
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
