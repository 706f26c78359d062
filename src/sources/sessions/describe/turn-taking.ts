import { join } from "node:path";
import { fingerprint } from "../../../base/fingerprint.ts";
import type { Home } from "../../../store/home.ts";
import { withLock } from "../../../store/lock.ts";
import type { SessionKey } from "../session.ts";

/** Locks with this beginning are held while a model answers, which takes a while. */
export const DESCRIBING = "describe-";
/** Three answers of the slowest model that settings allow. */
export const LONGEST_DESCRIBING_MS = 31 * 60_000;

/** One process at a time describes a session; another is refused at once with `lock-busy`. */
export function inTurn<T>(home: Home, { host, id }: SessionKey, work: () => Promise<T>): Promise<T> {
  // Few locks for all sessions: two that share one are seldom described at once.
  const stripe = fingerprint(`${host}/${id}`).slice(0, 2);
  return withLock(join(home.locks, DESCRIBING + stripe), work, {
    waitMs: 0,
    staleMs: LONGEST_DESCRIBING_MS,
  });
}
