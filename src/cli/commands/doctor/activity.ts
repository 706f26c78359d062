import { findProject } from "../../../moments/project.ts";
import { ledgerJournal, readLedger } from "../../../moments/state/ledger.ts";
import { restoredAfter } from "../../../moments/state/restored.ts";
import { type HealthRecord, readHealth } from "../../../store/health.ts";
import { readRecords } from "../../../store/journal.ts";
import { type Check, type NamedFinding, ok, warn } from "./check.ts";

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

const DAYS = 7;
const SHOWN = 10;

/** Past failures, one line per kind, newest first. */
export const checkFailures: Check = (world, home) => {
  const { records, damaged } = readHealth(home?.logs);
  const { root } = findProject(world.cwd);
  const since = new Date(world.now() - DAYS * 24 * 3600 * 1000).toISOString();
  const kinds = new Map<string, { last: HealthRecord; count: number }>();
  // A rule of this project that was refused is told, as it is now, by the check of rules.
  const isToldElsewhere = (one: HealthRecord) => one.code.startsWith("rule-") && one.message.includes(root);
  for (const record of records.filter((one) => one.at >= since && !isToldElsewhere(one))) {
    const kind = `${record.code} ${record.where}`;
    kinds.set(kind, { last: record, count: (kinds.get(kind)?.count ?? 0) + 1 });
  }
  const findings: NamedFinding[] = [...kinds.values()]
    .sort((a, b) => (a.last.at < b.last.at ? 1 : -1))
    .slice(0, SHOWN)
    .map(({ last, count }) =>
      warn(
        "failure",
        `${last.code}: ${last.message} (${last.where}; ${count} time(s), last ${last.at})`,
        last.hint ?? "if it comes back, please report it",
      ),
    );
  if (damaged > 0)
    findings.push(
      warn(
        "health log",
        `${damaged} line(s) could not be read`,
        "the disk was probably full once; nothing needs to be done",
      ),
    );
  return findings.length === 0 ? [ok("failures", `none in ${DAYS} days`)] : findings;
};
