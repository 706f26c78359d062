import { lostParts, undelivered } from "../../../moments/delivery/undelivered.ts";
import { isOver } from "../../../moments/state/activity.ts";
import { recentDeliveries } from "../../../moments/state/recent-deliveries.ts";
import { peekState } from "../../../moments/state/session-state.ts";
import type { HealthRecord } from "../../../store/health.ts";
import type { Home } from "../../../store/home.ts";

const RECENT = 20;

/**
 * What did not reach the agents of recent sessions that are over without having said so: killed ones, and those of agents
 * without such an event. The others have recorded it themselves.
 */
export function undeliveredSilently(home: Home, now: number): HealthRecord[] {
  return recentDeliveries(home, { most: RECENT }).sessions.flatMap(({ host, session }) => {
    const state = peekState(home, { host, id: session });
    if (state === undefined || state.isEnded === true || !isOver(state, now)) return [];
    const lost = lostParts(state);
    if (lost.length === 0) return [];
    const { code, message, hint = "" } = undelivered(home, state, lost);
    return [{ at: state.seenAt, where: host, code, message, hint }];
  });
}
