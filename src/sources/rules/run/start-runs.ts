import { spawn } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { ContinuoError, describeError } from "../../../base/errors.ts";
import { fingerprint } from "../../../base/fingerprint.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { count } from "../../../base/when.ts";
import type { SourceContext } from "../../../moments/ports/source.ts";
import { peekState } from "../../../moments/state/session-state.ts";
import type { IdleMoment, Session } from "../../../moments/types.ts";
import type { FileUse } from "../../../moments/working-set.ts";
import { namesIn } from "../../../store/folder.ts";
import { type Home, homeAt } from "../../../store/home.ts";
import { readTrust, type Trust } from "../../../store/trust.ts";
import { refOf } from "../checks/check-set.ts";
import { shownCommand } from "../checks/describe.ts";
import { type RunMemo, withStarted } from "../checks/memo.ts";
import { isMatch } from "../matching/glob-matcher.ts";
import type { Budget } from "../matching/linear-regex.ts";
import type { FilePatterns } from "../rule.ts";
import { MARK } from "./end-processes.ts";
import { type WantedRun, writeRequest } from "./requests.ts";
import { readResults } from "./results.ts";
import { mayRun, type Run, type RunningRule, runsOf, waitingRuns } from "./runs.ts";

interface StartedRuns {
  /** The new memo; the same object if nothing changed. */
  readonly memo: RunMemo;
  /** `rule key#check id` of every check that runs now and is known to give results. */
  readonly occasions: readonly string[];
  /** Lines for the user. */
  readonly notices: readonly string[];
}

type Context = Pick<SourceContext, "home" | "env" | "workingSet" | "report"> &
  Partial<Pick<SourceContext, "isMuted">>;

/**
 * Starts the commands of rules on the files that the session has changed since their last run, without waiting for
 * them. Their findings are reported later (`tell-runs.ts`). A failure here must not fail the moment.
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
  // Otherwise a command that starts an agent would start itself again and again.
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
  // A subagent gets no further moments: its parent continues with the result.
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
  // A command that gave no result last time is not counted: only its next result shows whether it checks anything.
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

/** Once per session and set of commands: what a trusted project's rules would run if the user accepted it. */
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

/** One line about commands that wait for the user's consent. */
function waitingNotice(waiting: readonly Run[]): string {
  const [first] = waiting;
  const example = first === undefined ? "" : oneLine(shownCommand(first.check.command)).slice(0, 200);
  const more = waiting.length > 1 ? ` and ${waiting.length - 1} more` : "";
  return `rules of this project want to run ${count(waiting.length, "command")} that you have not accepted: ${example}${more}. To see and accept: continuo rules trust`;
}

/** The most files passed to a command, the most recently used ones. */
const MAX_FILES = 100;
/** The most characters of file names: some systems limit the command line. */
const MAX_CHARACTERS = 30_000;
/** How many of the edited files are considered, the most recently used ones. */
const MAX_LOOKED_AT = 1000;
/** For all checks of a moment. */
const MATCHING_STEPS = 2_000_000;
const STEPS_PER_TEST = 20;

/** The project's edited files, without duplicates, most recently used first. */
function editedFiles(uses: readonly FileUse[]): string[] {
  const edited = uses.filter((use) => use.edited && !isAbsolute(use.path)).reverse();
  return [...new Set(edited.map((use) => use.path))].slice(0, MAX_LOOKED_AT);
}

/**
 * Matching files that exist and were written after this time. The files' own times decide, not the tool calls: a call
 * may have failed, and a command may have changed the file too.
 */
function changedFiles(
  files: FilePatterns,
  edited: readonly string[],
  root: string,
  since: number,
  budget: Budget,
): string[] {
  const changed: string[] = [];
  let characters = 0;
  for (const path of edited) {
    if (changed.length === MAX_FILES || budget.left < 0) break;
    if (!matches(files, path, budget)) continue;
    const stats = statSync(join(root, path), { throwIfNoEntry: false });
    if (stats?.isFile() !== true || stats.mtimeMs <= since) continue;
    characters += path.length + 3;
    if (characters > MAX_CHARACTERS) break;
    changed.push(path);
  }
  return changed;
}

function matches({ include, exclude }: FilePatterns, path: string, budget: Budget): boolean {
  budget.left -= STEPS_PER_TEST;
  return (
    (include.length === 0 || include.some((pattern) => isMatch(pattern, path, budget))) &&
    !exclude.some((pattern) => isMatch(pattern, path, budget))
  );
}

/** Where the launcher of all commands is, relative to this bundle. */
const PLACES = [
  "continuo.cjs", // dist, and the bundles of the Claude Code plugin
  "../continuo.cjs", // dist/chunks
  "../../../../dist/continuo.cjs", // the sources
];

/**
 * Hooks and Claude Code's resident server have a low CPU limit (`hook-command.ts`, `start-again.ts`), which child
 * processes would inherit: a linter that uses all cores could be killed long before its own time limit.
 */
function liftLimit(): [] | [string, ...string[]] {
  return existsSync(SHELL) ? [SHELL, "-c", 'ulimit -S -t "$(ulimit -H -t)"; exec "$@"', "continuo"] : [];
}

const SHELL = "/bin/sh";

/** The runner's internal command, which users never type. */
const RUN_CHECKS = "run-checks";

/**
 * Starts a detached runner, because a hook ends as soon as it has answered, and a host may be closed. The runner always
 * ends by itself.
 */
export function launchRunner(
  home: Pick<Home, "root">,
  project: string,
  env: NodeJS.ProcessEnv,
  onFailure: (error: Error) => void,
  from = import.meta.dirname,
): void {
  const script = PLACES.map((place) => join(from, place)).find((path) => existsSync(path));
  if (script === undefined)
    throw new ContinuoError("run-no-launcher", `continuo.cjs is missing near ${from}`);
  const [program, ...args] = [...liftLimit(), process.execPath, script, RUN_CHECKS, project];
  const child = spawn(program, args, {
    cwd: home.root,
    // If the runtime is a host's own program, this makes it act only as a runtime.
    env: { ...env, CONTINUO_HOME: home.root, BUN_BE_BUN: "1", ELECTRON_RUN_AS_NODE: "1" },
    detached: true,
    stdio: "ignore",
    windowsHide: true,
  });
  child.on("error", onFailure);
  child.unref();
}

/** How many of a session's subagents are examined. */
const MAX_SUBAGENTS = 50;

/**
 * Files used by a session's subagents, for hosts without an idle event for subagents: there, their ids begin with the
 * session's (`hosts/shared/hook/parse-event.ts`).
 */
function subagentFiles(home: Home, { host, id }: Session): FileUse[] {
  const start = `${id}_`;
  return namesIn(join(home.state, host))
    .filter((name) => name.startsWith(start) && /^[\w-]+\.json$/.test(name))
    .slice(-MAX_SUBAGENTS)
    .flatMap((name) => {
      const state = peekState(home, { host, id: name.slice(0, -".json".length) });
      return state?.session.parent === id ? state.workingSet : [];
    });
}
