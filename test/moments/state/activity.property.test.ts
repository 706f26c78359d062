import fc from "fast-check";
import { expect, it } from "vitest";
import { activityOf, workAfter } from "../../../src/moments/state/activity.ts";
import type { SessionState } from "../../../src/moments/state/session-state.ts";

const BEGUN = Date.parse("2026-01-01T00:00:00Z");
const MINUTE = 60_000;
const NAMES = ["start", "resume", "prompt", "tool", "idle", "end", "compacting", "compacted"] as const;
type Happened = { readonly name: (typeof NAMES)[number]; readonly at: number };
type Times = Pick<SessionState, "idleAt" | "isEnded" | "work">;

/** What happened, in the order of time. */
const history = fc
  .array(fc.record({ name: fc.constantFrom(...NAMES), gap: fc.integer({ min: 1, max: 20 * MINUTE }) }), {
    minLength: 1,
    maxLength: 12,
  })
  .map((steps) => {
    let at = BEGUN;
    return steps.map(({ name, gap }): Happened => {
      at += gap;
      return { name, at };
    });
  });

function recorded(moments: readonly Happened[]): Times {
  let state: Times = {};
  for (const { name, at } of moments) {
    const moment = {
      name,
      at,
      ...(name === "prompt" ? { prompt: "x" } : {}),
      ...(name === "tool" ? { tool: {} } : {}),
    };
    state = workAfter(moment, { startedAt: "", seenAt: "", ...state });
  }
  return state;
}

const doing = (state: Times, now: number) =>
  activityOf({ startedAt: "", seenAt: new Date(BEGUN).toISOString(), ...state }, now);
const isWork = ({ name }: Happened) => name === "prompt" || name === "tool";
const isStop = ({ name }: Happened) => name === "idle" || name === "end";

it("is what the moments say: working after a prompt or a tool call until the next stop, ended after an end", () => {
  fc.assert(
    fc.property(history, fc.integer({ min: 0, max: 60 * MINUTE }), (moments, later) => {
      const end = moments.at(-1)?.at ?? BEGUN;
      const now = end + later;
      const last = moments.findLast((one) => isWork(one) || isStop(one));
      const isWorking = last !== undefined && isWork(last) && now - last.at < 30 * MINUTE;
      const activity = doing(recorded(moments), now);
      expect(activity.doing === "working").toBe(isWorking);
      if (moments.at(-1)?.name === "end") expect(activity.doing).toBe("ended");
      if (isWorking) {
        const since = moments.filter(({ at }) => at === activity.since).every(isWork);
        expect(since && activity.since <= last.at).toBe(true);
      }
      expect(activity.since).toBeLessThanOrEqual(now);
    }),
    { numRuns: 500 },
  );
});

it("is the same if the hooks of two moments run in another order, as hooks do that are not waited for", () => {
  fc.assert(
    fc.property(history, fc.nat(), (moments, which) => {
      const i = which % Math.max(1, moments.length - 1);
      const [a, b] = [moments[i], moments[i + 1]];
      if (a === undefined || b === undefined) return;
      const now = (moments.at(-1)?.at ?? BEGUN) + MINUTE;
      const swapped = [...moments.slice(0, i), b, a, ...moments.slice(i + 2)];
      const isWorking = (of: readonly Happened[]) => doing(recorded(of), now).doing === "working";
      expect(isWorking(swapped)).toBe(isWorking(moments));
    }),
    { numRuns: 500 },
  );
});
