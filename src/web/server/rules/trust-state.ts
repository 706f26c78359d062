import { shownCommand } from "../../../sources/rules/checks/describe.ts";
import type { JudgedRules } from "../../../sources/rules/judge.ts";
import { mayRun, runsOf, waitingRuns } from "../../../sources/rules/run/runs.ts";
import { aboutRun, runsToken } from "../../../sources/rules/run/shown-runs.ts";
import { checksToTrust, fingerprintOf, haveChanged } from "../../../sources/rules/trusted-checks.ts";
import type { Trust } from "../../../store/trust.ts";
import type { TrustState } from "../../api/rules.ts";
import { checkView, exact } from "./check-view.ts";
import { shortName } from "./views.ts";

const MOST_CHECKS = 500;
const MOST_RUNS = 100;
/**
 * Too long for anyone to read on a page: a longer check is left out, and then the user cannot trust the project there.
 */
const MAX_SHOWN = 10_000;

/** Everything that the user would trust, in full. */
export function trustState({ project, catalog }: JudgedRules, trust: Trust): TrustState {
  const checks = checksToTrust(catalog.rules);
  const runs = runsOf(catalog.rules);
  const hasWaiting = waitingRuns(trust, project.id, runs).length > 0;
  return {
    isTrusted: trust.projects.includes(project.id),
    hasChanged: hasWaiting || haveChanged(trust, project.id, checks),
    checks: fingerprintOf(checks),
    total: checks.length,
    shown: checks
      .slice(0, MOST_CHECKS)
      .map(({ check, rule, path }) => ({ ...checkView(check), rule: shortName(rule), path: exact(path) }))
      .filter(isReadable),
    runs: runs
      .slice(0, MOST_RUNS)
      .map((run) => ({
        rule: shortName(run.name),
        path: exact(run.path),
        isUsers: run.isUsers,
        command: shownCommand(run.check.command),
        about: exact(aboutRun(run)),
        isAccepted: mayRun(trust, project.id, run),
      }))
      .filter(isReadable),
    totalRuns: runs.length,
    runsToken: runsToken(runs),
    ...(trust.damage === undefined
      ? {}
      : { damage: { message: trust.damage.message, hint: trust.damage.hint } }),
  };
}

function isReadable(shown: object): boolean {
  return JSON.stringify(shown).length <= MAX_SHOWN;
}
