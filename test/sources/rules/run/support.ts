import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { fingerprint } from "../../../../src/base/fingerprint.ts";
import type { IdleMoment } from "../../../../src/moments/types.ts";
import type { FileUse } from "../../../../src/moments/working-set.ts";
import { NO_RUNS, type RunMemo } from "../../../../src/sources/rules/checks/memo.ts";
import type { RunCheck } from "../../../../src/sources/rules/rule.ts";
import { hasRequests } from "../../../../src/sources/rules/run/requests.ts";
import { runChecks } from "../../../../src/sources/rules/run/runner.ts";
import { acceptedTexts, type RunningRule, runsOf } from "../../../../src/sources/rules/run/runs.ts";
import { startRuns } from "../../../../src/sources/rules/run/start-runs.ts";
import type { Home } from "../../../../src/store/home.ts";
import { setTrust } from "../../../../src/store/trust.ts";
import { temporaryWorld } from "../../../support/world.ts";

export const SESSION = { host: "cli", id: "session-1" };
/** Far longer than any command of a test needs. */
const PLENTY_MS = 50_000;

/** Waits as long as a slow machine may need. */
export const PATIENT = { timeout: PLENTY_MS };

/** Waits until the project's runner has released its lock: it has served all requests. */
export async function runnerEnded(home: Home, project: string): Promise<void> {
  const lock = join(home.locks, `run-${fingerprint(project)}`);
  await expect.poll(() => !hasRequests(home, project) && existsSync(join(lock, "free")), PATIENT).toBe(true);
}

/** Node runs this code; the changed files are its arguments. */
export function runCheck(code: string, more: Partial<RunCheck> = {}): RunCheck {
  return {
    on: "run",
    id: "check-1",
    reaction: "remind",
    command: [process.execPath, "-e", code, "--"],
    files: { include: [], exclude: [] },
    timeoutMs: PLENTY_MS,
    ...more,
  };
}

export function ruleWith(check: RunCheck, scope: "project" | "global" = "project"): RunningRule {
  const file = { key: ".continuo/rules/lint.md", path: "/p/.continuo/rules/lint.md", scope };
  return { name: "lint", file, checks: [check] };
}

/** Appends its arguments, one line for each call, to a file of the project. */
export const RECORD =
  "require('fs').appendFileSync('calls.jsonl',JSON.stringify(process.argv.slice(1))+'\\n')";

/** A project with files that a session has edited, and what happens when its agent goes idle. */
export function runWorld(files: Record<string, string> = { "a.ts": "a" }) {
  const world = temporaryWorld(files);
  const { home, root, project, env } = world;
  const reports: string[] = [];
  let memo: RunMemo = NO_RUNS;
  const uses = (paths: readonly string[]): FileUse[] =>
    paths.map((path, i) => ({ path, edited: true, at: 1, turn: i, heat: 1 }));
  return {
    ...world,
    reports,
    trust: (rules: readonly RunningRule[]) =>
      setTrust(home, project.id, "guards", 0, acceptedTexts(runsOf(rules))),
    /** As the source does it, but the runner runs in this process. */
    async idle(
      rules: readonly RunningRule[],
      { edited = Object.keys(files), at = Date.now(), session = SESSION, more = {} }: IdleOptions = {},
    ) {
      const moment: IdleMoment = { name: "idle", session, project, cwd: root, at };
      const context = {
        home: home.root,
        env: { ...env, ...more },
        workingSet: uses(edited),
        report: (code: string, message: string) => void reports.push(`${code}: ${message}`),
      };
      let launched: Promise<void> | undefined;
      const started = startRuns(moment, rules, memo, context, (at, of) => {
        launched = runChecks({ home, project: of, env, now: Date.now, graceMs: 100 });
        if (at.root !== home.root) throw new Error("another home");
      });
      memo = started.memo;
      await launched;
      return { ...started, isLaunched: launched !== undefined };
    },
    /** The files that the command was called with, call by call. */
    calls(): string[][] {
      const path = join(root, "calls.jsonl");
      if (!existsSync(path)) return [];
      return readFileSync(path, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as string[]);
    },
  };
}

interface IdleOptions {
  readonly edited?: readonly string[];
  readonly at?: number;
  readonly session?: { host: string; id: string; parent?: string };
  readonly more?: NodeJS.ProcessEnv;
}
