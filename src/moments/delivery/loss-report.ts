import type { Composition } from "../../compose/compose.ts";
import type { MomentRun } from "../run/moment-run.ts";
import { isDropped, isPassing, keysOf, listOrNone } from "../state/delivered-items.ts";
import type { SummaryComparison } from "../state/ledger.ts";
import type { Muted } from "../state/muted.ts";
import type { SessionState } from "../state/session-state.ts";
import type { CompactedMoment } from "../types.ts";
import { rankFiles } from "../working-set.ts";
import { waitingKeys } from "./waiting-parts.ts";

/** How many files of the working set a report names. */
const REPORTED_FILES = 20;

/** Records what was active before a compaction, and what of it the new snapshot restores. */
export function recordLoss(
  run: MomentRun,
  moment: CompactedMoment,
  before: SessionState | undefined,
  state: SessionState,
  made: Composition,
): void {
  const neverShown = waitingKeys(before);
  const active = Object.entries(before?.delivered ?? {}).flatMap(([key, hash]) =>
    isDropped(hash) || isPassing(hash) || neverShown.has(key) ? [] : [key],
  );
  const kept = keysOf(made);
  const waits = waitingKeys(state);
  const dropped = new Set(made.dropped.map((item) => `${item.source}/${item.key}`));
  const gone = active.filter((key) => !kept.has(key) && !dropped.has(key));
  const muted = gone.filter((key) => isMuted(run.mutedFor(moment), key));
  run.recordInLedger(moment, state, {
    kind: "compacted",
    active,
    reasserted: active.filter((key) => kept.has(key) && !waits.has(key)),
    waiting: active.filter((key) => waits.has(key)),
    noRoom: active.filter((key) => dropped.has(key)),
    lost: gone.filter((key) => !muted.includes(key)),
    muted: listOrNone(muted),
    workingSet: filesOf(before),
  });
}

/** `key` begins with the source's name. */
function isMuted(muted: Muted | undefined, key: string): boolean {
  const slash = key.indexOf("/");
  return muted?.of(key.slice(0, slash), key.slice(slash + 1)) !== undefined;
}

/**
 * Compares the host's summary with what mattered. The ledger records only names; the summary itself is in the state.
 */
export function compareSummary(summary: string, state: SessionState): SummaryComparison {
  const files = filesOf(state);
  const base = (path: string) => path.slice(path.lastIndexOf("/") + 1);
  // A bare name identifies a file only if no other file has that name.
  const isUnique = (path: string) => files.filter((one) => base(one) === base(path)).length === 1;
  const isNamed = (path: string) =>
    summary.includes(path) || (isUnique(path) && summary.includes(base(path)));
  const { text = "", more = [], tail = "" } = state.snapshot ?? {};
  const shown = [text, ...more, tail].join("\n");
  const items = shown.matchAll(
    /<continuo-item name="([^"]*)"(?: broken="[^"]*")?(?: replaces="[^"]*")?(?: part="1 of \d+")?>\n(.*)\n/g,
  );
  return {
    characters: summary.length,
    keptFiles: files.filter(isNamed),
    lostFiles: files.filter((path) => !isNamed(path)),
    restated: [...items]
      .filter(([, , line = ""]) => summary.includes(line.trim()))
      .map(([, name = ""]) => name),
  };
}

function filesOf(state: SessionState | undefined): string[] {
  return rankFiles(state?.workingSet ?? [])
    .slice(0, REPORTED_FILES)
    .map((use) => use.path);
}
