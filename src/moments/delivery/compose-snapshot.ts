import { type Composition, compose } from "../../compose/compose.ts";
import type { Section } from "../../compose/section.ts";
import type { MomentRun } from "../moment-run.ts";
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

/** `compaction`: the snapshot follows a compaction, and this was the session's state. */
export function composeSnapshot(
  run: MomentRun,
  sections: readonly Section[],
  health: string | undefined,
  compaction?: { readonly moment: CompactedMoment; readonly before: SessionState | undefined },
): MadeSnapshot {
  const aim = run.options.config.snapshotAim;
  const notes = health === undefined ? [] : [health];
  const { before, moment } = compaction ?? {};
  const earlier = before && earlierOf(before);
  const keys = before?.snapshot?.keys;
  if (moment?.keepsSnapshot !== true || keys === undefined) {
    const made = compose("snapshot", sections, limitsOf(run, aim), notes, earlier);
    return { made, parts: waitingParts(made, "snapshot"), keys: keysOf(made) };
  }
  // The snapshot has what it had, so that its bytes are the same if nothing of it changed. All else follows the summary.
  const had = new Set(keys);
  const first = compose(
    "snapshot",
    withoutItems(sections, (key) => !had.has(key)),
    limitsOf(run, aim),
    [],
    earlier,
  );
  const left = Math.max(aim - first.tokens, Math.floor(aim / 2));
  const rest = withoutItems(sections, (key) => had.has(key));
  const second = compose("addition", rest, limitsOf(run, left), notes, earlier);
  return {
    made: joined(first, second),
    parts: [...waitingParts(first, "snapshot"), ...waitingParts(second, "addition")],
    keys: keysOf(first),
    ...(second.text === "" ? {} : { tail: second.text }),
  };
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
    summaries: [...first.summaries, ...second.summaries],
    parts: [...first.parts, ...second.parts],
  };
}
