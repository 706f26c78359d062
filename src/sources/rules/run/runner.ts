import { existsSync, realpathSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { isAbsolute, join } from "node:path";
import { ContinuoError, describeError } from "../../../base/errors.ts";
import { fingerprint } from "../../../base/fingerprint.ts";
import { wayInside } from "../../../base/inside.ts";
import { appendLedger } from "../../../moments/state/ledger.ts";
import type { Project, Session } from "../../../moments/types.ts";
import { findProgram } from "../../../store/find-program.ts";
import { failure, recordHealth } from "../../../store/health.ts";
import type { Home } from "../../../store/home.ts";
import { withLock } from "../../../store/lock.ts";
import { readTrust } from "../../../store/trust.ts";
import { refOf } from "../checks/check-set.ts";
import { shownCommand } from "../checks/describe.ts";
import { hasRequests, type RunRequest, takeRequest, type WantedRun } from "./requests.ts";
import { pruneResults, type RunResult, removeResult, saveResult } from "./results.ts";
import { type Ran, runCommand } from "./run-command.ts";
import { mayRun } from "./runs.ts";

/** A runner ends after this time, even with work left. */
const MAX_MS = 10 * 60_000;
/** Longer than any runner can hold its lock. */
export const LONGEST_RUNNING_MS = 15 * 60_000;
/** The prefix of the lock's name. */
export const RUNNING = "run-";

interface RunnerOptions {
  readonly home: Home;
  /** The project's id. */
  readonly project: string;
  readonly env: NodeJS.ProcessEnv;
  readonly now: () => number;
  readonly maxMs?: number;
  readonly graceMs?: number;
  /** Stops the running command, and the runner. */
  readonly signal?: AbortSignal;
}

/**
 * Runs what the sessions of one project requested, one command after the other, then ends. If a runner of the project
 * is already at work, another one ends at once: the first checks again after it has released the lock.
 */
export async function runChecks(options: RunnerOptions): Promise<void> {
  const { home, project, now, maxMs = MAX_MS } = options;
  const until = now() + maxMs;
  const mayGoOn = () => now() < until && options.signal?.aborted !== true;
  const lock = join(home.locks, `${RUNNING}${fingerprint(project)}`);
  const next = () => (mayGoOn() ? takeRequest(home, project, now()) : undefined);
  let served = 0;
  const serveAll = async () => {
    for (let request = next(); request !== undefined; request = next()) {
      await serve(request, options, until);
      served++;
    }
  };
  try {
    // Checks again after the lock is released, unless nothing could be taken, for example from an unwritable folder.
    for (let before = -1; before < served && mayGoOn() && hasRequests(home, project); ) {
      before = served;
      await withLock(lock, serveAll, { waitMs: 0, staleMs: LONGEST_RUNNING_MS });
    }
    pruneResults(home, now());
  } catch (error) {
    if (describeError(error).code !== "lock-busy") recordHealth(home.logs, failure("run", error, now()));
  }
}

/** Handles one request with all its commands. A failing command does not stop the others. */
async function serve(request: RunRequest, options: RunnerOptions, until: number): Promise<void> {
  for (const run of request.runs) {
    const left = until - options.now();
    try {
      if (left > 0 && options.signal?.aborted !== true) await runOne(request, run, options, left);
    } catch (error) {
      recordHealth(options.home.logs, failure("run", error, options.now(), request.session.id));
    }
  }
}

async function runOne(
  { project, session }: RunRequest,
  run: WantedRun,
  options: RunnerOptions,
  leftMs: number,
): Promise<void> {
  const { home, env, now } = options;
  // Trust may have been revoked meanwhile, and only the file in the home says what was accepted.
  if (!mayRun(readTrust(home), project.id, run)) return;
  if (!existsSync(project.root)) {
    const gone = new ContinuoError("run-no-project", `${project.root} is gone: its checks did not run`);
    recordHealth(home.logs, failure("run", gone, now(), session.id));
    return;
  }
  const files = run.files.filter((path) => existsSync(join(project.root, path)));
  if (files.length === 0) return;
  const ran = await ranOn(files, project.root, run, options, leftMs);
  if (ran.kind === "ended" && ran.code === 0) return removeResult(home, session, resultKey(run));
  if (ran.kind === "failed" && ran.why === "stopped") return;
  const { message, reaction } = run.check;
  const result: RunResult = {
    version: 1,
    at: now(),
    ...resultKey(run),
    name: run.name,
    reaction: reaction === "report" ? "report" : "remind",
    ...(message === undefined ? {} : { message }),
    command: shownCommand(run.check.command),
    found: ran.kind === "ended" ? { kind: "broken", code: ran.code, output: ran.output } : ran,
  };
  const isNew = saveResult(home, session, result);
  if (ran.kind === "failed") recordNoResult(home, { project, session, at: now() }, resultKey(run));
  if (ran.kind === "failed" && isNew)
    recordHealth(home.logs, failure("run", failedRun(result, ran.detail), now(), session.id));

  async function ranOn(
    existing: readonly string[],
    root: string,
    { check }: WantedRun,
    { graceMs, signal }: RunnerOptions,
    mostMs: number,
  ): Promise<Ran> {
    const [word = "", ...args] = check.command;
    const program = programAt(word, root, env);
    if (typeof program !== "string") return { kind: "failed", why: "missing", detail: program.detail };
    const ran = await runCommand({
      program,
      args: [...args, ...existing.map(asArgument)],
      cwd: root,
      env: commandEnv(env),
      timeoutMs: Math.min(check.timeoutMs, mostMs),
      graceMs,
      signal,
    });
    return notStarted(ran) ?? ran;
  }
}

function resultKey(run: WantedRun): Pick<RunResult, "rule" | "check"> {
  return { rule: run.rule, check: run.check.id };
}

function failedRun({ command, name }: RunResult, detail: string): ContinuoError {
  return new ContinuoError("run-failed", `"${command}" of the rule "${name}" gave no result: ${detail}`, {
    hint: "try the command in the project; the check is in the rule's file (continuo rules why)",
  });
}

/** Prevents a program from treating a file's name as an option. */
function asArgument(path: string): string {
  return path.startsWith("-") ? `./${path}` : path;
}

/**
 * A name is searched on the PATH, but not in folders of a project, whose author would decide what `git` is. A path is
 * what the user accepted; a relative one starts at the project's root and must stay inside it.
 */
function programAt(word: string, root: string, env: NodeJS.ProcessEnv): string | { readonly detail: string } {
  if (isAbsolute(word)) return word;
  if (!/[/\\]/.test(word))
    return (
      findProgram(word, { env, near: [root] }) ?? {
        detail: `${word} is not on the PATH outside of projects; a program of the project is named by its path, such as ./node_modules/.bin/${word}`,
      }
    );
  const program = join(root, word);
  if (wayInside(root, program) === undefined) return { detail: `${word} leads out of the project` };
  if (!existsSync(program)) return program;
  const real = realpathSync.native(program);
  // Not the real path, because a program may find its files relative to the link.
  return wayInside(realpathSync.native(root), real) === undefined
    ? { detail: `${word} is a link that leads out of the project, to ${real}: name that program instead` }
    : program;
}

/**
 * The user's own environment, as in their terminal, because linters need it. Without Continuo's variables, and without
 * those that made another runtime run Continuo (`start-runs.ts`). npx would offer to download a missing program: nobody
 * could answer, and no check may need a network.
 */
function commandEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(
    ([name]) => !/^(?:CONTINUO_|BUN_BE_BUN$|ELECTRON_RUN_AS_NODE$)/.test(name),
  );
  return { npm_config_yes: "false", npm_config_offline: "true", ...Object.fromEntries(kept) };
}

/** Lowers the priority: the user at the machine comes first. */
export function beModest(): void {
  try {
    setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The system has no priorities.
  }
}

/** npx's message about a program that it would have to download. */
const NOT_INSTALLED =
  /^npm (?:error|ERR!) (?:code (?:ENOTCACHED|E404)\b|npx canceled|could not determine executable)/m;
/** The exit codes of a shell and `env` for a program that does not exist or cannot be run. */
const NOT_FOUND: readonly number[] = [126, 127];

/** Set if a command ended without doing its work, so that the files were not checked. */
function notStarted(ran: Ran): Ran | undefined {
  if (ran.kind !== "ended" || ran.code === 0) return undefined;
  if (NOT_INSTALLED.test(ran.output))
    return {
      kind: "failed",
      why: "missing",
      detail: "the program is not installed, and npx may not download it",
    };
  if (NOT_FOUND.includes(ran.code))
    return { kind: "failed", why: "missing", detail: `its program cannot be run (exit code ${ran.code})` };
  return undefined;
}

/** The run was counted when it started. It does not count as an occasion at which the rule was followed. */
function recordNoResult(
  home: Home,
  of: {
    readonly project: Pick<Project, "id">;
    readonly session: Pick<Session, "host" | "id">;
    readonly at: number;
  },
  { rule, check }: { readonly rule: string; readonly check: string },
): void {
  const { host, id } = of.session;
  // A runner does not know the session's epoch, and nothing here needs it.
  const place = { host, session: id, project: of.project.id, epoch: 0 };
  appendLedger(home, of.at, { kind: "checked", ...place, counts: {}, noResult: { [refOf(rule, check)]: 1 } });
}
