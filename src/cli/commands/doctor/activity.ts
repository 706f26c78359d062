import { ago } from "../../../base/when.ts";
import { ledgerJournal, readLedger, restoredAfter } from "../../../moments/state/ledger.ts";
import { readRecords } from "../../../store/journal.ts";
import { counted } from "../../terminal/table.ts";
import { type Check, ok } from "./check.ts";

/** What the last compaction dropped, and what was restored. `sessions receipt` has the details. */
export const checkCompactions: Check = (world, home) => {
  if (home === undefined) return [];
  const lines = readLedger(readRecords(ledgerJournal(home)).records);
  const last = lines.findLast((line) => line.kind === "compacted");
  if (last?.kind !== "compacted") return [];
  const kept = lines.findLast(
    (line) => line.kind === "summarised" && line.session === last.session && line.epoch === last.epoch,
  );
  const summary =
    kept?.kind === "summarised"
      ? `; the summary kept ${kept.keptFiles.length} of ${counted(kept.keptFiles.length + kept.lostFiles.length, "file")} in use`
      : "";
  const gone = (last.noRoom ?? []).length + last.lost.length;
  const lost = gone === 0 ? "" : `, ${gone} not (continuo why lists them)`;
  const { restored, waiting } = restoredAfter(last, lines);
  const waits = waiting.length === 0 ? "" : `, ${waiting.length} waiting`;
  return [
    ok(
      "compaction",
      `last ${ago(last.at, world.now())}: ${restored.length} of ${counted(last.active.length, "item")} restored${waits}${lost}${summary}`,
    ),
  ];
};
