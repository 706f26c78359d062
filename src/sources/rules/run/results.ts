import { rmdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fingerprint } from "../../../base/fingerprint.ts";
import { isRecord, parseBounded } from "../../../base/json.ts";
import { namesIn } from "../../../store/folder.ts";
import type { Home } from "../../../store/home.ts";
import { readTextIfAny } from "../../../store/read-file.ts";
import { writeFileAtomic } from "../../../store/write-file.ts";
import { refOf } from "../checks/check-set.ts";
import { resultFolder, type Told } from "./result-folder.ts";
import type { FailedRun } from "./run-command.ts";

/** What a run found, stored until it is reported to the session. A run without findings stores nothing. */
export interface RunResult {
  readonly version: 1;
  /** When the run ended. */
  readonly at: number;
  /** The rule's key and name, and the check's id. */
  readonly rule: string;
  readonly name: string;
  readonly check: string;
  readonly reaction: "remind" | "report";
  readonly message?: string;
  /** As a user would type it, without the files. */
  readonly command: string;
  readonly found:
    | { readonly kind: "broken"; readonly code: number; readonly output: string }
    /**
     * The command gave no result for the files. `isTold`: kept after it was reported, so that the same failure is
     * reported once in a session.
     */
    | {
        readonly kind: "failed";
        readonly why: FailedRun;
        readonly detail: string;
        readonly isTold?: boolean;
      };
}

const MAX_BYTES = 64 * 1024;
/** The most checks with unreported results per session. */
const MAX_RESULTS = 20;
const OLD_MS = 7 * 24 * 60 * 60_000;
/** How many sessions are examined when old results are removed. */
const MAX_SESSIONS = 1000;

function pathOf(home: Pick<Home, "root">, session: Told, { rule, check }: Pick<RunResult, "rule" | "check">) {
  return join(resultFolder(home, session), `${fingerprint(refOf(rule, check))}.json`);
}

export function readResults(home: Pick<Home, "root">, session: Told): RunResult[] {
  const folder = resultFolder(home, session);
  return namesIn(folder)
    .filter((name) => /^[^.].*\.json$/.test(name))
    .slice(0, MAX_RESULTS)
    .flatMap((name) => readResult(join(folder, name)) ?? [])
    .sort((a, b) => a.at - b.at || (a.rule < b.rule ? -1 : 1));
}

function readResult(path: string): RunResult | undefined {
  try {
    const text = readTextIfAny(path, { maxBytes: MAX_BYTES });
    const value: unknown = text === undefined ? undefined : parseBounded(text);
    const isResult = isRecord(value) && value["version"] === 1 && isRecord(value["found"]);
    return isResult ? (value as unknown as RunResult) : undefined;
  } catch {
    return undefined; // damaged: the next run replaces it
  }
}

/**
 * Replaces the result of an earlier run of the same check. Returns false if the same failure was already reported in
 * this session.
 */
export function saveResult(home: Home, session: Told, result: RunResult): boolean {
  const path = pathOf(home, session, result);
  const { found } = result;
  const before = found.kind === "failed" ? readResult(path)?.found : undefined;
  if (before?.kind === "failed" && found.kind === "failed" && before.why === found.why) return false;
  writeFileAtomic(path, JSON.stringify(result), { durable: false });
  return true;
}

/** Call it when the problem is solved or the result was reported. */
export function removeResult(
  home: Pick<Home, "root">,
  session: Told,
  of: Pick<RunResult, "rule" | "check">,
): void {
  rmSync(pathOf(home, session, of), { force: true });
  try {
    rmdirSync(resultFolder(home, session)); // so that prompts and tool calls find nothing to read
  } catch {
    // It contains other results, or does not exist.
  }
}

/** Call it after reporting: removes a breach; keeps a failure, but marks it as reported. */
export function markTold(home: Home, session: Told, result: RunResult): void {
  const path = pathOf(home, session, result);
  const now = readResult(path);
  if (now === undefined || now.at !== result.at) return; // replaced by a later run
  const { found } = result;
  if (found.kind === "broken") removeResult(home, session, result);
  else
    writeFileAtomic(path, JSON.stringify({ ...result, found: { ...found, isTold: true } }), {
      durable: false,
    });
}

/** Removes results of sessions that were never continued. */
export function pruneResults(home: Pick<Home, "root">, now: number): void {
  const all = join(home.root, "runs", "results");
  for (const host of namesIn(all).slice(0, 50)) {
    for (const name of namesIn(join(all, host)).slice(0, MAX_SESSIONS)) {
      const folder = join(all, host, name);
      const modified = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? now;
      if (now - modified > OLD_MS) rmSync(folder, { recursive: true, force: true });
    }
  }
}
