import { othersFirst, pauses } from "../../../base/slices.ts";
import type { Edit } from "../../../moments/tool-use.ts";
import { type CheckedRule, type CheckSet, compileChecks } from "../checks/check-set.ts";
import { after, afterStop, type CommandsSoFar, NOTHING_SO_FAR } from "../checks/commands-so-far.ts";
import { judgeCall, judgeStop } from "../checks/judge.ts";
import { type SessionsQuery, sessionsFor, type TriedSession, type Unreadable } from "./past-sessions.ts";
import { createResult, type TryResult } from "./result.ts";
import { type Step, stepsOf } from "./steps.ts";

export interface TryOptions extends SessionsQuery {
  /** How many breaches the result contains; all are counted. */
  readonly most?: number;
  /** Called between steps of a session. */
  readonly onProgress?: (progress: TryProgress) => void;
  /** Called between steps of a session: true stops reading, and keeps what was found. */
  readonly isOver?: () => boolean;
  /** The most time to spend, in milliseconds. */
  readonly limitMs?: number;
}

interface TryProgress {
  readonly sessions: number;
  readonly ofSessions: number;
  /** From 0 to 1. */
  readonly share: number;
  readonly breaches: number;
}

const DEFAULT_MOST = 100;
/** For progress: sessions in databases report a number of messages instead of bytes. */
const MESSAGE_BYTES = 4_000;

/** How often other work may run, progress is shown, and the run can be stopped. */
const SLICE_MS = 15;

/**
 * What the checks of these rules would have found in past sessions. Reads the transcripts of all hosts, newest first;
 * never runs the commands of `run` checks. Writes nothing.
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
  /** Called between steps; `offset` returns how far reading has got. */
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
  const reading = reader.read(file, { isOver, root });
  let soFar: CommandsSoFar = NOTHING_SO_FAR;
  const files = new SessionFiles();
  let [calls, failedCalls, isEnded] = [0, 0, false];
  for (const step of stepsOf(reading)) {
    await between(() => reading.report().resumeAt);
    isEnded = isOver();
    if (isEnded) break;
    // Steps before `since` count as done, but are not reported.
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
    failure,
  };
}

function weightOf({ file }: TriedSession): number {
  return file.key === undefined ? file.size : file.size * MESSAGE_BYTES;
}

function unreadableOf({ file }: TriedSession, why: string): Unreadable {
  return { host: file.host, id: file.id, path: file.path, why };
}

type CallStep = Pick<Extract<Step, { kind: "call" }>, "call" | "hasFailed" | "result" | "before">;

/** Limits per session: characters of stored texts, and files known to have been used. */
const MOST_TEXT = 32_000_000;
const MOST_FILES = 20_000;

/** How hosts number the lines of a file that was read. */
const LINE_NUMBER = /^\s*\d+(?:[→\t|:]|\. )/;

/**
 * What a past session knew about files: which ones it had read or edited, and lines they contained. A call that writes
 * a whole file usually does not say whether the file is new and which of its lines are. Texts are compared only on
 * demand.
 */
export class SessionFiles {
  readonly #known = new Set<string>();
  /** By path; the file with the oldest first text comes first. */
  readonly #texts = new Map<string, string[]>();
  #length = 0;

  /** The call, extended by what the session and the host know about the files that it writes as a whole. */
  completed({ call, before }: CallStep): CallStep["call"] {
    const { edits } = call;
    return edits === undefined
      ? call
      : { ...call, edits: () => edits().map((edit) => this.#completed(edit, before)) };
  }

  /** Remembers a completed call. A failed one proves nothing: often the file does not exist. */
  add({ call, hasFailed, result }: CallStep): void {
    if (hasFailed) return;
    for (const { path, access } of call.files) this.#keep(path, access === "read" ? result : undefined);
    for (const { path, hunks } of call.edits?.() ?? [])
      for (const { text } of hunks.length === 0 ? [{ text: undefined }] : hunks) this.#keep(path, text);
  }

  #completed(edit: Edit, before: string | null | undefined): Edit {
    if (edit.kind !== "whole" || edit.isNew !== undefined || edit.before !== undefined) return edit;
    if (typeof before === "string") return { ...edit, isNew: false, before: () => before };
    const isNew = before === null || !this.#known.has(edit.path);
    return isNew ? { ...edit, isNew } : { ...edit, isNew, before: () => this.#oldLines(edit) };
  }

  /** The edit's lines that were already in the file, as far as the session has seen them. */
  #oldLines({ path, hunks }: Edit): string | undefined {
    const texts = this.#texts.get(path);
    if (texts === undefined) return undefined;
    const seen = new Set<string>();
    for (const line of texts.flatMap((text) => text.split("\n")))
      seen.add(line.trim()).add(line.replace(LINE_NUMBER, "").trim());
    const lines = hunks.flatMap(({ text }) => text.split("\n"));
    return lines.filter((line) => seen.has(line.trim())).join("\n");
  }

  #keep(path: string, text: string | undefined): void {
    if (this.#known.size < MOST_FILES) this.#known.add(path);
    if (text === undefined || text === "" || text.length > MOST_TEXT) return;
    const texts = this.#texts.get(path) ?? [];
    this.#texts.set(path, texts);
    texts.push(text);
    this.#length += text.length;
    for (const [oldest, dropped] of this.#texts) {
      if (this.#length <= MOST_TEXT) break;
      this.#texts.delete(oldest);
      this.#length -= dropped.reduce((sum, { length }) => sum + length, 0);
    }
  }
}
