import type { Composition } from "../../compose/compose.ts";
import type { Item, Section } from "../../compose/section.ts";
import type { MomentRun } from "../engine/moment-run.ts";
import type { SessionState, StoredSection } from "../state/session-state.ts";
import type { CompactedMoment } from "../types.ts";

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
