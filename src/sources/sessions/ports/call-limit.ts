import { isRecord } from "../../../base/settings.ts";
import type { ToolContext } from "../../../moments/ports/tool.ts";
import { stateFile } from "../../../moments/state/session-state.ts";

/** Where no prompts are known, calls that come this close together count as one turn's. */
const WINDOW_MS = 60_000;
const LOCK_WAIT_MS = 2_000;

/** When sessions without a state were asked for, by session: such a session lives as long as its server. */
const asked = new Map<string, number[]>();

/**
 * Counts a call of this turn, and says whether there was one left. A turn ends with the next prompt, at which the source
 * takes the count out of the session's memo again.
 */
export async function mayCall({ home, session, now }: ToolContext, most: number): Promise<boolean> {
  const file = stateFile(home, session, { lockWaitMs: LOCK_WAIT_MS, onDamaged: () => undefined });
  if (file.read() === undefined) return mayCallNow(`${session.host}/${session.id}`, now, most);
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

/** A call that was only told to ask more precisely has used nothing up: else it could not do as it is told. */
export async function takeBack({ home, session }: ToolContext): Promise<void> {
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

/** What to remember at a prompt; undefined when nothing was asked since the last one, so that nothing is written. */
export function withoutCalls(memo: unknown): ((memo: unknown) => unknown) | undefined {
  if (callsIn(memo) === 0) return undefined;
  return (newest) => ({ ...(isRecord(newest) ? newest : {}), calls: 0 });
}

function callsIn(memo: unknown): number {
  const calls = isRecord(memo) ? memo["calls"] : undefined;
  return typeof calls === "number" ? calls : 0;
}

function mayCallNow(key: string, now: number, most: number): boolean {
  const recent = (asked.get(key) ?? []).filter((at) => now - at < WINDOW_MS);
  const isAllowed = recent.length < most;
  asked.set(key, isAllowed ? [...recent, now] : recent);
  return isAllowed;
}
