import { findProject } from "../../../moments/project.ts";
import { ledgerJournal, readLedger, restoredAfter } from "../../../moments/state/ledger.ts";
import { type HealthRecord, readHealth } from "../../../store/health.ts";
import { readRecords } from "../../../store/journal.ts";
import { counted } from "../../terminal/table.ts";
import { type Check, type NamedFinding, ok, warn } from "./check.ts";

/** What the last compaction dropped, and what was restored. `sessions receipt` has the details. */
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
      ? `; the summary kept ${kept.keptFiles.length} of ${counted(kept.keptFiles.length + kept.lostFiles.length, "file")} in use`
      : "";
  const gone = [...(last.noRoom ?? []), ...last.lost];
  const lost = gone.length === 0 ? "" : `, not restored: ${gone.join(", ")}`;
  const { restored, waiting } = restoredAfter(last, lines);
  const waits = waiting.length === 0 ? "" : `, ${waiting.length} waiting`;
  return [
    ok(
      "compaction",
      `last ${last.at}: ${restored.length} of ${counted(last.active.length, "item")} restored${waits}${lost}${summary}`,
    ),
  ];
};

const DAYS = 7;
const SHOWN = 10;

export interface FailureKind {
  readonly last: HealthRecord;
  readonly count: number;
}

/** Failures of the last days by kind, the newest first, without those that `isReportedElsewhere`. */
export function failureKinds(
  records: readonly HealthRecord[],
  now: number,
  isReportedElsewhere: (one: HealthRecord) => boolean = () => false,
): FailureKind[] {
  const since = new Date(now - DAYS * 24 * 3600 * 1000).toISOString();
  const kinds = new Map<string, FailureKind>();
  for (const record of records.filter((one) => one.at >= since && !isReportedElsewhere(one))) {
    const kind = `${record.code} ${record.where}`;
    kinds.set(kind, { last: record, count: (kinds.get(kind)?.count ?? 0) + 1 });
  }
  return [...kinds.values()].sort((a, b) => (a.last.at < b.last.at ? 1 : -1)).slice(0, SHOWN);
}

/** Past failures, one line for each kind, newest first. */
export const checkFailures: Check = (world, home) => {
  const { records, damaged } = readHealth(home?.logs);
  const { root } = findProject(world.cwd);
  // `checkRules` reports the rules of this project that are refused now.
  const isReportedElsewhere = (one: HealthRecord) =>
    one.code.startsWith("rule-") && one.message.includes(root);
  const findings: NamedFinding[] = failureKinds(records, world.now(), isReportedElsewhere).map(
    ({ last, count }) =>
      warn(
        "failure",
        `${last.code}: ${last.message} (${last.where}; ${counted(count, "time")}, last ${last.at})`,
        last.hint ?? "if it happens again, please report it",
      ),
  );
  if (damaged > 0)
    findings.push(
      warn(
        "health log",
        `${counted(damaged, "line")} could not be read`,
        "the disk was probably full once; no action is needed",
      ),
    );
  return findings.length === 0 ? [ok("failures", `none in the last ${DAYS} days`)] : findings;
};
