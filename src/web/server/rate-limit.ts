/** Requests that one page may send: many at once when it opens, and a steady number after that. */
export interface RateLimit {
  /** Counts a request. Returns 0, or how many seconds to wait. */
  take(owner: string): number;
}

const BURST = 400;
const PER_SECOND = 100;
const MOST_OWNERS = 64;

export function createRateLimit(now: () => number, burst = BURST, perSecond = PER_SECOND): RateLimit {
  const owners = new Map<string, { left: number; at: number }>();
  return {
    take(owner) {
      const at = now();
      const known = owners.get(owner) ?? { left: burst, at };
      // A clock that was set back must not take requests away.
      const gained = (Math.max(0, at - known.at) / 1000) * perSecond;
      const left = Math.min(burst, known.left + gained);
      owners.delete(owner);
      owners.set(owner, { left: left < 1 ? left : left - 1, at });
      for (const oldest of owners.keys()) {
        if (owners.size <= MOST_OWNERS) break;
        owners.delete(oldest);
      }
      return left < 1 ? Math.max(1, Math.ceil((1 - left) / perSecond)) : 0;
    },
  };
}
