import { statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { isRecord, parseBounded } from "../../base/json.ts";
import { fileNameFor, type Home } from "../../store/home.ts";
import { readText } from "../../store/read-file.ts";
import type { Session } from "../types.ts";
import { MAX_STATE_BYTES, type SessionState, stateFile } from "./session-state.ts";

/** What a session's agent does now, as far as hooks have told it. Times are milliseconds since 1970. */
export interface Activity {
  readonly doing: "working" | "idle" | "ended";
  /** Since when. */
  readonly since: number;
  /** When it last went idle or ended; undefined if it never did. */
  readonly idleAt?: number;
  readonly observedAt?: number;
}

type Times = Pick<SessionState, "startedAt" | "seenAt" | "idleAt" | "isEnded" | "observedAt">;

/** A host that was killed, or interrupted, tells nothing: after this long without a sign it does not work any more. */
const SILENT_MS = 30 * 60_000;
/** Between the moment that a state tells of and the writing of its file. */
const WRITING_MS = 2_000;

/** `touchedAt`: the time of the state's file, which a prompt changes without writing. */
export function activityOf(state: Times, touchedAt: number, now: number): Activity {
  const [started = 0, seen = 0] = [state.startedAt, state.seenAt].map((time) => Date.parse(time) || 0);
  const idle = Date.parse(state.idleAt ?? "");
  const observed = Date.parse(state.observedAt ?? "");
  const last = Math.max(seen, touchedAt);
  const hasBegun = Number.isNaN(idle)
    ? touchedAt - seen > WRITING_MS || seen - started > WRITING_MS
    : last > idle + 1;
  const isWorking = hasBegun && now - last < SILENT_MS;
  return {
    doing: isWorking ? "working" : state.isEnded === true && !hasBegun ? "ended" : "idle",
    since: isWorking || Number.isNaN(idle) ? last : idle,
    ...(Number.isNaN(idle) ? {} : { idleAt: idle }),
    ...(Number.isNaN(observed) ? {} : { observedAt: observed }),
  };
}

/** It went idle after `since`, and nobody has looked at it or typed into it from then on. */
export function isUnobserved({ doing, idleAt, observedAt }: Activity, since: number): boolean {
  return doing !== "working" && idleAt !== undefined && idleAt > Math.max(since, observedAt ?? 0);
}

/** A session's activity as it is stored now; undefined for a session without a state. */
export function readActivity(
  home: Home,
  session: Pick<Session, "host" | "id">,
  now: number,
): Activity | undefined {
  const path = join(home.state, session.host, `${fileNameFor(session.id)}.json`);
  const touched = statSync(path, { throwIfNoEntry: false });
  const times = touched?.isFile() === true ? readTimes(path) : undefined;
  return times && activityOf(times, touched?.mtimeMs ?? 0, now);
}

/** The stored times of a state; undefined if there is none. The hooks of the session deal with a damaged one. */
export function readTimes(path: string): (Times & Pick<SessionState, "session">) | undefined {
  try {
    const state = parseBounded(readText(path, { maxBytes: MAX_STATE_BYTES }));
    const isState = isRecord(state) && isRecord(state["session"]) && typeof state["seenAt"] === "string";
    return isState ? (state as unknown as SessionState) : undefined;
  } catch {
    return undefined;
  }
}

/** A person looked at the session. A session without a state has nothing to look at. */
export async function observe(home: Home, session: Session, at: number, lockWaitMs: number): Promise<void> {
  const file = stateFile(home, session, { lockWaitMs, onDamaged: () => undefined });
  const before = statSync(file.path, { throwIfNoEntry: false });
  if (before === undefined) return;
  await file.update((state) => {
    const isNews = state !== undefined && !(Date.parse(state.observedAt ?? "") >= at);
    return isNews ? { ...state, observedAt: new Date(at).toISOString() } : state;
  });
  // Looking is not a sign of work.
  utimesSync(file.path, before.atimeMs / 1000, before.mtimeMs / 1000);
}
