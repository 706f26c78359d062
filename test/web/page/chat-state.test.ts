import fc from "fast-check";
import { expect, it } from "vitest";
import type { ChatChange, ChatState } from "../../../src/web/api/chat.ts";
import { applyChanges } from "../../../src/web/page/chat/chat-state.ts";

const STATE: ChatState = {
  ...{ id: "c", host: "copilot", name: "", status: "idle", at: 0, run: "r", seq: 0, model: "m" },
  project: { root: "/p", label: "p" },
  ...{ wasResumed: false, entries: [], hasEarlier: false, queue: [], requests: [], questions: [] },
  usage: { input: 0, output: 0, cacheRead: 0, cost: 0, calls: 0 },
};
const changes: readonly ChatChange[] = [
  ...Array.from({ length: 12 }, (_, n): ChatChange => {
    const seq = n + 1;
    if (n % 4 === 0)
      return {
        ...{ run: "r", seq, kind: "entry" },
        entry: { key: n, at: 0, kind: "assistant", text: `${n}`, thinking: "", isOpen: true, isCut: false },
      };
    return { run: "r", seq, kind: "piece", key: n - (n % 4), text: `+${n}`, thinking: "" };
  }),
];

it("gives the same state whatever is repeated and however changes are grouped", () => {
  const whole = applyChanges(STATE, changes);
  expect(whole?.entries).toHaveLength(3);
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 12 }), { maxLength: 6 }), (cuts) => {
      let state: ChatState | undefined = STATE;
      for (const cut of [...cuts, 12]) {
        // A reconnected page gets some changes again, never fewer.
        const upTo = Math.max(cut, state?.seq ?? 0);
        state = state && applyChanges(state, changes.slice(0, upTo));
      }
      expect(state).toEqual(whole);
    }),
  );
});

it("asks for the whole state after a gap, or for another opening", () => {
  for (const missed of [1, 4]) expect(applyChanges(STATE, changes.slice(missed))).toBeUndefined(); // 4: an entry is next
  expect(applyChanges({ ...STATE, run: "other" }, changes)).toBeUndefined();
  expect(applyChanges({ ...STATE, seq: 99 }, changes)?.seq).toBe(99);
});
