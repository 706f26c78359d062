import { othersFirst, pauses } from "../../../base/slices.ts";
import { type CheckedRule, type CheckSet, compileChecks } from "../checks/check-set.ts";
import { after, afterStop, type CommandsSoFar, NOTHING_SO_FAR } from "../checks/commands-so-far.ts";
import { judgeCall, judgeStop } from "../checks/judge.ts";
import { type SessionsQuery, sessionsFor, type TriedSession, type Unreadable } from "./past-sessions.ts";
import { createResult, type TryResult } from "./result.ts";
import { SessionFiles } from "./session-files.ts";
import { stepsOf } from "./steps.ts";

export interface TryOptions extends SessionsQuery {
  /** How many breaches the result has; all are counted. */
  readonly most?: number;
  /** Called between steps of a session. */
  readonly onProgress?: (progress: TryProgress) => void;
  /** Asked between steps of a session: true ends the reading with what was found. */
  readonly isOver?: () => boolean;
  /** The most time to spend, in milliseconds. */
  readonly limitMs?: number;
}

export interface TryProgress {
  readonly sessions: number;
  readonly ofSessions: number;
  /** From 0 to 1. */
  readonly share: number;
  readonly breaches: number;
}

const DEFAULT_MOST = 100;
/** For progress: sessions in databases have a number of messages instead of bytes. */
const MESSAGE_BYTES = 4_000;

/** So often others may run, progress is shown, and somebody can end it. */
const SLICE_MS = 15;

/**
 * What the checks of these rules would have found in past sessions. Reads the transcripts of all hosts, the newest first;
 * commands of `run` checks are never run. Writes nothing.
 */
export async function tryChecks(rules: readonly CheckedRule[], options: TryOptions): Promise<TryResult> {
  const until = performance.now() + (options.limitMs ?? Number.POSITIVE_INFINITY);
  const isOver = (): boolean => options.isOver?.() === true || performance.now() > until;
  const set = compileChecks(rules);
  const result = createResult(rules, options.most ?? DEFAULT_MOST);
  const { sessions, unreadable } = await sessionsFor(options, pauses(SLICE_MS), isOver);
  const all = sessions.reduce((sum, one) => sum + weightOf(one), 0);
  const done = { sessions: 0, bytes: 0, calls: 0, failedCalls: 0, skippedLines: 0 };
  let weight = 0;
  let paused = performance.now();
  let isCut = isOver();
  for (const session of sessions) {
    if (isCut) break;
    const own = weightOf(session);
    const { failure, ...read } = await trySession(session, set, result.collector(session), {
      since: options.since ?? Number.NEGATIVE_INFINITY,
      isOver,
      async between(offset) {
        if (performance.now() - paused < SLICE_MS) return;
        await othersFirst();
        paused = performance.now();
        const share = all === 0 ? 1 : (weight + Math.min(offset(), own)) / all;
        const { breaches } = result.sum();
        options.onProgress?.({ sessions: done.sessions, ofSessions: sessions.length, share, breaches });
      },
    });
    weight += own;
    isCut = read.isCut;
    done.bytes += read.bytes;
    done.calls += read.calls;
    done.failedCalls += read.failedCalls;
    done.skippedLines += read.skippedLines;
    if (failure === undefined && !isCut) done.sessions += 1;
    else if (failure !== undefined) unreadable.push(unreadableOf(session, failure));
  }
  return { ...result.sum(), ...done, ofSessions: sessions.length, unreadable, isCut };
}

interface Reading {
  readonly since: number;
  readonly isOver: () => boolean;
  /** Called between steps; `offset` says how far the reading is. */
  readonly between: (offset: () => number) => Promise<void>;
}

interface Read {
  readonly calls: number;
  readonly failedCalls: number;
  readonly skippedLines: number;
  readonly bytes: number;
  readonly isCut: boolean;
  readonly failure?: string;
}

async function trySession(
  { reader, file, root }: TriedSession,
  set: CheckSet,
  collect: ReturnType<ReturnType<typeof createResult>["collector"]>,
  { since, isOver, between }: Reading,
): Promise<Read> {
  const reading = reader.read(file, { isOver, ...(root === undefined ? {} : { root }) });
  let soFar: CommandsSoFar = NOTHING_SO_FAR;
  const files = new SessionFiles();
  let [calls, failedCalls, isEnded] = [0, 0, false];
  for (const step of stepsOf(reading)) {
    await between(() => reading.report().resumeAt);
    isEnded = isOver();
    if (isEnded) break;
    // What was done before `since` counts as done, but is not told.
    const isNew = step.at === undefined || step.at >= since;
    if (step.kind === "stop") {
      if (isNew && file.parent === undefined)
        collect(judgeStop(set, { answer: step.answer, soFar }), step.at);
      soFar = afterStop(soFar);
      continue;
    }
    const { call, hasFailed } = step;
    if (isNew) {
      calls += 1;
      if (hasFailed) failedCalls += 1;
      else collect(judgeCall(set, files.completed(step), soFar), step.at);
    }
    if (set.edits.length > 0) files.add(step);
    soFar = after(soFar, set, { ...call, hasFailed });
  }
  const { failure, damaged, oversized, resumeAt, isCut: isCutInside = false } = reading.report();
  const isCut = isEnded || isCutInside;
  return {
    calls,
    failedCalls,
    skippedLines: damaged + oversized,
    bytes: file.key !== undefined ? 0 : isCut ? resumeAt : file.size,
    isCut,
    ...(failure === undefined ? {} : { failure }),
  };
}

function weightOf({ file }: TriedSession): number {
  return file.key === undefined ? file.size : file.size * MESSAGE_BYTES;
}

function unreadableOf({ file }: TriedSession, why: string): Unreadable {
  return { host: file.host, id: file.id, path: file.path, why };
}
