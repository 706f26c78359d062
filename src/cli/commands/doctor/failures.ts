import { ago } from "../../../base/when.ts";
import { findProject } from "../../../moments/project/project.ts";
import { type HealthRecord, readHealth } from "../../../store/health.ts";
import { counted } from "../../terminal/table.ts";
import { type Check, type NamedFinding, ok, warn } from "./check.ts";
import { remedyFor } from "./remedies.ts";
import { undeliveredSilently } from "./undelivered.ts";

const DAYS = 7;
const SHOWN = 10;
const MOST = 200;

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
  const since = daysAgo(now);
  return kindsOf(records.filter((one) => one.at >= since && !isReportedElsewhere(one))).slice(0, SHOWN);
}

function kindsOf(records: readonly HealthRecord[]): FailureKind[] {
  const kinds = new Map<string, FailureKind>();
  for (const record of records) {
    const kind = `${record.code} ${record.where}`;
    kinds.set(kind, { last: record, count: (kinds.get(kind)?.count ?? 0) + 1 });
  }
  return [...kinds.values()].sort((a, b) => (a.last.at < b.last.at ? 1 : -1)).slice(0, MOST);
}

/** Past failures, one line for each kind, newest first. Those of earlier are shown with --verbose. */
export const checkFailures: Check = (world, home) => {
  const { records: recorded, damaged } = readHealth(home?.logs);
  const records =
    home === undefined ? recorded : [...recorded, ...undeliveredSilently(home, world.now())].sort(byTime);
  const { root } = findProject(world.cwd);
  const since = daysAgo(world.now());
  // `checkRules` reports the rules of this project that are refused now.
  const isReportedElsewhere = (one: HealthRecord) =>
    one.code.startsWith("rule-") && one.message.includes(root);
  const isRecent = (one: HealthRecord) => one.at >= since;
  const recent = kindsOf(records.filter((one) => isRecent(one) && !isReportedElsewhere(one)));
  const earlier = kindsOf(records.filter((one) => !isRecent(one)));
  const findings = recent.map((kind) => described(kind, world.now()));
  if (damaged > 0)
    findings.push(
      warn(
        "health log",
        `${counted(damaged, "line")} could not be read`,
        "nothing needs to be done; the disk was probably full once",
      ),
    );
  if (findings.length === 0) findings.push(ok("failures", `none in the last ${DAYS} days`));
  return [
    ...findings,
    ...earlier.map((kind): NamedFinding => ({ ...described(kind, world.now()), status: "ok" })),
  ];
};

function described({ last, count }: FailureKind, now: number): NamedFinding {
  const times = `${counted(count, "time")}, last ${ago(last.at, now)}`;
  const detail = `${last.message} (${last.code}, ${last.where}; ${times})`;
  return { ...warn("failure", detail, last.hint ?? remedyFor(last.code)), at: last.at };
}

/** The last of a kind is shown. */
const byTime = (a: HealthRecord, b: HealthRecord) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0);

function daysAgo(now: number): string {
  return new Date(now - DAYS * 24 * 3600 * 1000).toISOString();
}
