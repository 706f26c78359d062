import fc from "fast-check";
import { expect, it } from "vitest";
import type { ChatChange, ChatState } from "../../../src/web/api/chat.ts";
import { applyChanges } from "../../../src/web/page/chat/chat-state.ts";

const STATE: ChatState = {
  ...{ id: "c", host: "copilot", name: "", status: "idle", at: 0, run: "r", seq: 0, model: "m" },
  project: { root: "/p", label: "p" },
  ...{ wasResumed: false, turns: [], hasEarlier: false, queue: [], requests: [], questions: [] },
  usage: { input: 0, output: 0, cacheRead: 0, cost: 0, calls: 0 },
};
const NOTHING = { place: "", isLive: true, calls: [], answers: [], images: [], marks: [] } as const;
const changes: readonly ChatChange[] = Array.from({ length: 12 }, (_, n): ChatChange => {
  const seq = n + 1;
  const id = `t${n - (n % 4)}`;
  if (n % 4 > 0)
    return { run: "r", seq, kind: "piece", id, text: `+${n}`, thinking: n % 4 === 3 ? "hm" : "" };
  return { run: "r", seq, kind: "turn", turn: { ...NOTHING, id, role: "assistant", said: { text: `${n}` } } };
});

it("gives the same state whatever is repeated and however changes are grouped", () => {
  const whole = applyChanges(STATE, changes);
  expect(whole?.turns.map(({ said, thinking }) => [said.text, thinking?.text])).toEqual([
    ["0+1+2+3", "hm"],
    ["4+5+6+7", "hm"],
    ["8+9+10+11", "hm"],
  ]);
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

it.each<[string, (seq: number) => ChatChange]>([
  [
    "a turn",
    (seq) => ({
      run: "r",
      seq,
      kind: "turn",
      turn: { ...NOTHING, id: "t", role: "user", said: { text: "" } },
    }),
  ],
  ["turns that are gone", (seq) => ({ run: "r", seq, kind: "gone", ids: ["t"] })],
  ["the rest of the state", (seq) => ({ run: "r", seq, kind: "state", state: STATE })],
])("asks for the whole state after a gap before %s", (_, change) => {
  expect(applyChanges(STATE, [change(1)])?.seq).toBe(1);
  expect(applyChanges(STATE, [change(2)])).toBeUndefined();
  expect(applyChanges(STATE, [change(1), change(3)])).toBeUndefined();
});

it("asks for the whole state for another opening, and for a piece of a turn that it does not have", () => {
  expect(applyChanges({ ...STATE, run: "other" }, changes)).toBeUndefined();
  expect(
    applyChanges(STATE, [{ run: "r", seq: 1, kind: "piece", id: "t", text: "x", thinking: "" }]),
  ).toBeUndefined();
  expect(applyChanges({ ...STATE, seq: 99 }, changes)?.seq).toBe(99);
});
