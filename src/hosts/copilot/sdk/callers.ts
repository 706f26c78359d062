import { orUndefinedAfter } from "../../../base/deadline.ts";

/** How long a call's event may come after the call itself; it is told of by another way. */
const LATE_MS = 500;

/** A tool is told only the session that it belongs to; events tell whether a subagent calls it. */
export interface Callers {
  /** undefined: the session itself. */
  began(call: string, agent: string | undefined): void;
  ended(call: string): void;
  /** The subagent that makes a call, once it is known; undefined for the session's own calls. */
  of(call: string): Promise<string | undefined>;
}

export function createCallers(lateMs = LATE_MS): Callers {
  const known = new Map<string, string | undefined>();
  const waiting = new Map<string, () => void>();
  return {
    began(call, agent) {
      known.set(call, agent);
      waiting.get(call)?.();
    },
    ended: (call) => void known.delete(call),
    async of(call) {
      if (!known.has(call)) {
        const event = new Promise<void>((resolve) => waiting.set(call, resolve));
        await orUndefinedAfter(lateMs, event, { unref: true });
        waiting.delete(call);
      }
      return known.get(call);
    },
  };
}
