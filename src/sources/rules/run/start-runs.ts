import { describeError } from "../../../base/errors.ts";
import { fingerprint } from "../../../base/fingerprint.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { count } from "../../../base/when.ts";
import type { SourceContext } from "../../../moments/ports/source.ts";
import type { IdleMoment } from "../../../moments/types.ts";
import { homeAt } from "../../../store/home.ts";
import { readTrust, type Trust } from "../../../store/trust.ts";
import { refOf } from "../checks/check-set.ts";
import { changedFiles, editedFiles, MATCHING_STEPS } from "./changed-files.ts";
import { MARK } from "./end-processes.ts";
import { launchRunner } from "./launch.ts";
import { type WantedRun, writeRequest } from "./requests.ts";
import { readResults } from "./results.ts";
import { type RunMemo, withStarted } from "./run-memo.ts";
import { mayRun, type Run, type RunningRule, runsOf, shownCommand, waitingRuns } from "./runs.ts";
import { subagentFiles } from "./subagent-files.ts";

export interface StartedRuns {
  /** The memo afterwards; the same object if nothing changed. */
  readonly memo: RunMemo;
  /** `rule key#check id` of every check that runs now and is known to give results. */
  readonly occasions: readonly string[];
  /** For the person. */
  readonly notices: readonly string[];
}

type Context = Pick<SourceContext, "home" | "env" | "workingSet" | "report"> &
  Partial<Pick<SourceContext, "isMuted">>;

/**
 * Starts the commands of rules on the files that the session has changed since their last run, and waits for none of them.
 * What they find is told later (`tell-runs.ts`). Nothing here may fail the moment.
 */
export function startRuns(
  moment: Pick<IdleMoment, "session" | "project" | "at">,
  rules: readonly RunningRule[],
  memo: RunMemo,
  context: Context,
  launch = launchRunner,
): StartedRuns {
  const runs = runsOf(rules).filter((run) => context.isMuted?.(run.rule) !== true);
  const nothing = { memo, occasions: [], notices: [] };
  // A command that itself starts an agent would otherwise start itself again and again.
  if (runs.length === 0 || context.env[MARK] !== undefined) return nothing;
  const { project, session, at } = moment;
  const trust = readTrust({ root: context.home });
  if (!trust.projects.includes(project.id)) return nothing;
  const waiting = nameWaiting(trust, project.id, runs, memo);
  const home = homeAt(context.home);
  const edited = editedFiles([...subagentFiles(home, session), ...context.workingSet]);
  const budget = { left: MATCHING_STEPS };
  const wanted = runs.flatMap((run): WantedRun[] => {
    if (!mayRun(trust, project.id, run)) return [];
    const since = memo.started[idOf(run)] ?? 0;
    const files = changedFiles(run.check.files, edited, project.root, since, budget);
    const { rule, name, isUsers, check } = run;
    return files.length === 0 ? [] : [{ rule, name, isUsers, check, files }];
  });
  if (wanted.length === 0) return { ...nothing, ...waiting };
  const report = (error: unknown) => {
    const { message, hint } = describeError(error);
    context.report("run-not-started", `the checks of rules could not be started: ${message}`, hint);
  };
  // A subagent is not asked again: its parent goes on with what it did.
  const told = { host: session.host, id: session.parent ?? session.id };
  try {
    writeRequest(home, {
      version: 1,
      project: { id: project.id, root: project.root },
      session: told,
      at,
      runs: wanted,
    });
    launch(home, project.id, context.env, report);
  } catch (error) {
    report(error);
    return { ...nothing, ...waiting };
  }
  const started = wanted.map(idOf);
  const after = waiting?.memo ?? memo;
  // A command that gave no result the last time is not told of again: only its next result shows that it looks at anything.
  const failed = readResults(home, told).flatMap(({ found, rule, check }) =>
    found.kind === "failed" ? [refOf(rule, check)] : [],
  );
  return {
    notices: waiting?.notices ?? [],
    occasions: started.filter((id) => !failed.includes(id)),
    memo: withStarted(after, started, at),
  };
}

function idOf({ rule, check }: Pick<Run, "rule" | "check">): string {
  return refOf(rule, check.id);
}

/** Once per session and set of commands: what a trusted project's rules would run, had the person accepted it. */
function nameWaiting(
  trust: Trust,
  project: string,
  runs: readonly Run[],
  memo: RunMemo,
): { memo: RunMemo; notices: string[] } | undefined {
  const waiting = waitingRuns(trust, project, runs);
  const named = fingerprint(waiting.map((run) => JSON.stringify([run.rule, run.check])).join("\n"));
  if (waiting.length === 0 || memo.named === named) return undefined;
  return { memo: { ...memo, named }, notices: [waitingNotice(waiting)] };
}

/** One line about commands that wait for the person's consent. */
export function waitingNotice(waiting: readonly Run[]): string {
  const [first] = waiting;
  const example = first === undefined ? "" : oneLine(shownCommand(first.check.command)).slice(0, 200);
  const more = waiting.length > 1 ? ` and ${waiting.length - 1} more` : "";
  return `rules of this project want to run ${count(waiting.length, "command")} that you have not accepted: ${example}${more}. To see and accept: continuo rules trust`;
}
