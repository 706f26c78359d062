import { existsSync } from "node:fs";
import { isRecord, parseBounded } from "../../base/json.ts";
import type { Home } from "../../store/home.ts";
import { type HostProcess, hasExited } from "../../store/host-process.ts";
import { readText } from "../../store/read-file.ts";
import type { Moment, Session } from "../types.ts";
import {
  MAX_STATE_BYTES,
  peekState,
  type SessionState,
  stateFile,
  type WaitingPart,
} from "./session-state.ts";

/** What a session's agent is doing, as far as hooks have recorded it. Times are milliseconds since 1970. */
export interface Activity {
  readonly doing: "working" | "idle" | "ended";
  /** Since when. */
  readonly since: number;
  /** When it last went idle or ended; undefined if it never did. */
  readonly idleAt?: number;
  readonly observedAt?: number;
  /** Started by a script, so it waits for nobody. Known only to callers that have read its transcript. */
  readonly isHeadless?: boolean;
}

type Times = Pick<SessionState, "startedAt" | "seenAt" | "idleAt" | "isEnded" | "observedAt" | "work">;

/**
 * A host that was killed or interrupted reports nothing: after this long without a sign of life, the agent no longer
 * counts as working.
 */
const SILENT_MS = 30 * 60_000;

/**
 * What a moment says about the agent's work. Uses the times of the moments, because hooks may run late and out of
 * order. A file's own time is useless, because a backup or a sync changes it too.
 */
export function workAfter(
  moment: Pick<Moment, "name" | "at"> & { readonly isPast?: boolean },
  before: Times | undefined,
  process?: HostProcess,
): Pick<SessionState, "idleAt" | "isEnded" | "work"> {
  const { name } = moment;
  const at = iso(moment.at);
  const isOver = name === "idle" || name === "end";
  const idleAt = isOver ? later(before?.idleAt, at) : before?.idleAt;
  const known = before?.work;
  const isSign = !isOver && moment.isPast !== true && ("prompt" in moment || "tool" in moment);
  const isGoingOn = known !== undefined && !("prompt" in moment) && isAfter(known.at, idleAt);
  const by = process ?? known?.process;
  const work =
    isSign && !isAfter(known?.at, at) ? { since: isGoingOn ? known.since : at, at, process: by } : known;
  const hasEnded = name === "end" ? !isAfter(work?.at, at) : before?.isEnded === true && !isAfter(at, idleAt);
  return { idleAt, isEnded: hasEnded || undefined, work };
}

function isAfter(a: string | undefined, b: string | undefined): boolean {
  return timeOf(a) > timeOf(b);
}

const later = (a: string | undefined, b: string): string => (a !== undefined && isAfter(a, b) ? a : b);
const timeOf = (text: string | undefined): number => Date.parse(text ?? "") || 0;

export function activityOf(state: Times, now: number): Activity {
  const { work, isEnded, idleAt, observedAt } = state;
  const [last, idle, observed] = [timeOf(work?.at), timeOf(idleAt), timeOf(observedAt)];
  const hasBegun = last > idle && isEnded !== true;
  const isWorking =
    hasBegun && Math.abs(now - last) < SILENT_MS && !(work?.process && hasExited(work.process));
  return {
    doing: isWorking ? "working" : isEnded === true ? "ended" : "idle",
    since: isWorking ? timeOf(work?.since) : Math.max(last, idle) || timeOf(state.seenAt),
    ...(idle === 0 ? {} : { idleAt: idle }),
    // A user who types a prompt has seen what was there.
    ...(observed === 0 && !hasBegun ? {} : { observedAt: Math.max(observed, hasBegun ? last : 0) }),
  };
}

/** The session has ended, or has been silent for so long that nothing can be on its way to it. */
export function isOver(state: Times, now: number): boolean {
  const { doing } = activityOf(state, now);
  return doing === "ended" || (doing === "idle" && Math.abs(now - timeOf(state.seenAt)) >= SILENT_MS);
}

/**
 * The session's parts that are waiting for an output with room: none once it is over, even if it may be resumed later.
 */
export function waitingOf(
  home: Home,
  session: Pick<Session, "host" | "id">,
  now: number,
): readonly WaitingPart[] {
  const state = peekState(home, session);
  return state === undefined || isOver(state, now) ? [] : (state.waiting ?? []);
}

const iso = (at: number): string => new Date(at).toISOString();

/**
 * Whether it waits for the user: it went idle after `since`, and since then the user has neither looked at it nor typed
 * anything.
 */
export function isUnobserved({ doing, idleAt, observedAt, isHeadless }: Activity, since: number): boolean {
  return (
    doing !== "working" &&
    isHeadless !== true &&
    idleAt !== undefined &&
    idleAt > Math.max(since, observedAt ?? 0)
  );
}

/** The times in a state; undefined if there is none. A damaged state is handled by the session's hooks. */
export function readTimes(path: string): (Times & Pick<SessionState, "session">) | undefined {
  try {
    const state = parseBounded(readText(path, { maxBytes: MAX_STATE_BYTES }));
    const isState = isRecord(state) && isRecord(state["session"]) && typeof state["seenAt"] === "string";
    return isState ? (state as unknown as SessionState) : undefined;
  } catch {
    return undefined;
  }
}

/** Records that the user looked at the session, unless it has no state. */
export async function observe(home: Home, session: Session, at: number, lockWaitMs: number): Promise<void> {
  await change(home, session, lockWaitMs, (state) =>
    timeOf(state.observedAt) >= at ? state : { ...state, observedAt: iso(at) },
  );
}

/** Records that its agent ended without reporting it. */
export async function recordStop(
  home: Home,
  session: Session,
  at: number,
  lockWaitMs: number,
): Promise<void> {
  await change(home, session, lockWaitMs, (state) => ({
    ...state,
    ...workAfter({ name: "idle", at }, state),
  }));
}

async function change(
  home: Home,
  session: Session,
  lockWaitMs: number,
  to: (state: SessionState) => SessionState,
): Promise<void> {
  const file = stateFile(home, session, { lockWaitMs, onDamaged: () => undefined });
  if (existsSync(file.path)) await file.update((state) => state && to(state));
}
