import { ledgerJournal, readLedger, restoredAfter } from "../../../moments/state/ledger.ts";
import { readRecords } from "../../../store/journal.ts";
import { type Check, ok } from "./check.ts";

/** What the last compaction took away, and what came back. `sessions receipt` tells more. */
export const checkCompactions: Check = (_, home) => {
  if (home === undefined) return [];
  const lines = readLedger(readRecords(ledgerJournal(home)).records);
  const last = lines.findLast((line) => line.kind === "compacted");
  if (last?.kind !== "compacted") return [];
  const kept = lines.findLast(
    (line) => line.kind === "summarised" && line.session === last.session && line.epoch === last.epoch,
  );
  const summary =
    kept?.kind === "summarised"
      ? `; the summary kept ${kept.keptFiles.length} of ${kept.keptFiles.length + kept.lostFiles.length} files in use`
      : "";
  const gone = [...(last.noRoom ?? []), ...last.lost];
  const lost = gone.length === 0 ? "" : `, not: ${gone.join(", ")}`;
  const { restored, waiting } = restoredAfter(last, lines);
  const waits = waiting.length === 0 ? "" : `, ${waiting.length} not shown yet`;
  return [
    ok(
      "compaction",
      `last ${last.at}: ${restored.length} of ${last.active.length} asserted again${waits}${lost}${summary}`,
    ),
  ];
};
