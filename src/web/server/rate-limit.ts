/** Limits how many requests one page may send: many at once when it opens, then a steady number. */
export interface RateLimit {
  /** Counts a request. Returns 0 if it is allowed, otherwise how many seconds to wait. */
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
      // If the clock was set back, the allowance must not shrink.
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
