import { isRecord } from "../../../base/json.ts";
import type { ToolContext } from "../../../moments/ports/tool.ts";
import { stateFile } from "../../../moments/state/session-state.ts";

/** If prompts are unknown, calls within this time count as one turn. */
const WINDOW_MS = 60_000;
const LOCK_WAIT_MS = 2_000;

/** Times of calls by session, for sessions without a state, which live as long as their server. */
const asked = new Map<string, number[]>();

/**
 * Counts a call in this turn and returns whether it is allowed. A turn ends with the next prompt, when the source
 * resets the count in the session's memo.
 */
export async function mayCall({ home, session, now }: ToolContext, most: number): Promise<boolean> {
  const file = stateFile(home, session, { lockWaitMs: LOCK_WAIT_MS, onDamaged: () => undefined });
  if (file.read() === undefined) return mayCallInWindow(`${session.host}/${session.id}`, now, most);
  let isAllowed = true;
  await file.update((state) => {
    if (state === undefined) return state;
    const memo = state.memos["sessions"];
    const calls = callsIn(memo);
    isAllowed = calls < most;
    if (!isAllowed) return state;
    return {
      ...state,
      memos: { ...state.memos, sessions: { ...(isRecord(memo) ? memo : {}), calls: calls + 1 } },
    };
  });
  return isAllowed;
}

/** Uncounts a call: one that was answered by asking for a precise name must not use up the limit. */
export async function returnCall({ home, session }: ToolContext): Promise<void> {
  const key = `${session.host}/${session.id}`;
  asked.set(key, (asked.get(key) ?? []).slice(0, -1));
  const file = stateFile(home, session, { lockWaitMs: LOCK_WAIT_MS, onDamaged: () => undefined });
  if (file.read() === undefined) return;
  await file.update((state) => {
    const memo = state?.memos["sessions"];
    if (state === undefined || !isRecord(memo) || callsIn(memo) === 0) return state;
    return { ...state, memos: { ...state.memos, sessions: { ...memo, calls: callsIn(memo) - 1 } } };
  });
}

/** Resets the count at a prompt; undefined if it is already 0, so that nothing is written. */
export function withoutCalls(memo: unknown): ((memo: unknown) => unknown) | undefined {
  if (callsIn(memo) === 0) return undefined;
  return (newest) => ({ ...(isRecord(newest) ? newest : {}), calls: 0 });
}

function callsIn(memo: unknown): number {
  const calls = isRecord(memo) ? memo["calls"] : undefined;
  return typeof calls === "number" ? calls : 0;
}

function mayCallInWindow(key: string, now: number, most: number): boolean {
  const recent = (asked.get(key) ?? []).filter((at) => now - at < WINDOW_MS);
  const isAllowed = recent.length < most;
  asked.set(key, isAllowed ? [...recent, now] : recent);
  return isAllowed;
}
