import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  frozenIn,
  isOfThisEpoch,
  NEW_SESSION,
  needsEpoch,
  next,
  type SessionEvent,
  type SessionState,
} from "../../../src/hosts/opencode/session-state.ts";

const stateAfter = (...events: SessionEvent[]): SessionState => events.reduce(next, NEW_SESSION);
const frozen = (at: number) => ({ text: `snapshot of ${at}`, at });

/** Events by short names; the numbers are times. */
const opened = (at?: number): SessionEvent => ({
  type: "opened",
  frozen: at === undefined ? undefined : frozen(at),
});
const compacting = (at: number): SessionEvent => ({ type: "summariserStarted", at });
const summary: SessionEvent = { type: "textCompleted", text: "summary" };
const compacted: SessionEvent = { type: "compacted" };
const stopped: SessionEvent = { type: "stopped" };
const renewing: SessionEvent = { type: "renewalStarted" };
const renewed = (at?: number): SessionEvent => ({
  type: "renewalEnded",
  frozen: at === undefined ? undefined : frozen(at),
});

describe("the phase of an OpenCode session", () => {
  it("goes from a conversation through a compaction to the next epoch", () => {
    const events = [opened(1), compacting(2), summary, renewing, renewed(3)];
    const phases = events.map((_, i) => stateAfter(...events.slice(0, i + 1)).phase.name);
    expect(phases).toEqual(["conversing", "summarising", "owing", "renewing", "conversing"]);
    expect(frozenIn(stateAfter(...events))?.at).toBe(3);
  });

  it.each<[string, SessionEvent[], string]>([
    [
      "a compaction that failed leads back to the conversation",
      [opened(1), compacting(2), stopped],
      "conversing",
    ],
    [
      "a renewal that gave no snapshot leaves the epoch owed",
      [opened(1), compacting(2), summary, renewing, renewed()],
      "owing",
    ],
    [
      "a renewal that gave the old snapshot leaves the epoch owed",
      [opened(1), compacting(2), summary, renewing, renewed(1)],
      "owing",
    ],
    ["the host's event is enough where no summary was seen", [opened(1), compacting(2), compacted], "owing"],
    [
      "the host's event comes after a request began the epoch",
      [opened(1), compacting(2), summary, renewing, renewed(3), compacted],
      "conversing",
    ],
    ["a compaction in a process without a snapshot", [compacted], "owing"],
    [
      "a second compaction that fails leaves the first one's epoch owed",
      [opened(1), compacting(2), summary, compacting(4), stopped],
      "owing",
    ],
    [
      "a renewal ends while the next compaction is under way",
      [opened(1), compacting(2), summary, renewing, compacting(4), renewed(3)],
      "summarising",
    ],
    [
      "and that compaction fails",
      [opened(1), compacting(2), summary, renewing, compacting(4), renewed(3), stopped],
      "conversing",
    ],
    [
      "and that compaction succeeds before the renewal ends",
      [opened(1), compacting(2), summary, renewing, compacting(4), summary, renewed(3)],
      "owing",
    ],
    [
      "a session that is opened after the compaction owes nothing",
      [compacting(2), summary, opened(3)],
      "conversing",
    ],
    [
      "a session that is opened with an older snapshot still owes",
      [compacting(2), summary, opened(1)],
      "owing",
    ],
    [
      "a renewal that began before a compaction does not pay for it, even if the host's event is the first to tell",
      [renewing, compacting(2), stopped, compacted, renewed(1)],
      "owing",
    ],
    ["going idle changes nothing about what is owed", [opened(1), compacting(2), summary, stopped], "owing"],
  ])("%s", (_, events, phase) => {
    expect(stateAfter(...events).phase.name).toBe(phase);
  });
});

describe("the snapshot of an OpenCode session", () => {
  it("is untried, then none or frozen, and a later attempt may still freeze it", () => {
    expect(NEW_SESSION.snapshot.status).toBe("untried");
    expect(stateAfter({ type: "opening" }).snapshot.status).toBe("none");
    expect(stateAfter({ type: "opening" }, opened()).snapshot.status).toBe("none");
    expect(stateAfter({ type: "opening" }, opened(), { type: "opening" }, opened(2)).snapshot.status).toBe(
      "frozen",
    );
    expect(stateAfter(opened(1), { type: "opening" }).snapshot.status).toBe("frozen");
  });

  it("keeps its places when it is read again, and a new epoch's has none", () => {
    const placed = [
      opened(1),
      { type: "saidInSystemPrompt", at: 1 },
      { type: "foundInOwnMessage", at: 1, isThere: true },
    ] as const;
    expect(frozenIn(stateAfter(...placed, renewed(1)))).toMatchObject({
      inSystemPrompt: true,
      inOwnMessage: true,
    });
    expect(frozenIn(stateAfter(...placed, renewed(2)))).toMatchObject({
      inSystemPrompt: false,
      inOwnMessage: false,
    });
  });

  it("ignores places of another epoch: a host may store a message when the next one has begun", () => {
    const late = stateAfter(opened(2), { type: "foundInOwnMessage", at: 1, isThere: true });
    expect(frozenIn(late)).toMatchObject({ inOwnMessage: false });
    expect(stateAfter({ type: "saidInSystemPrompt", at: 1 }).snapshot.status).toBe("untried");
  });

  it("knows whether it came before or after a compaction", () => {
    expect(needsEpoch(stateAfter(opened(1)))).toBe(false);
    expect(needsEpoch(stateAfter(opened(1), compacting(2)))).toBe(true);
    expect(needsEpoch(NEW_SESSION)).toBe(true);
    expect(isOfThisEpoch(stateAfter(opened(2)), 2)).toBe(true);
    expect(isOfThisEpoch(stateAfter(opened(2)), 3)).toBe(false);
    expect(isOfThisEpoch(NEW_SESSION, 0)).toBe(false);
  });
});

describe("what else an OpenCode session remembers", () => {
  it("knows the request as answered when text follows it, until a tool is called", () => {
    const request = { text: "do it", answered: false };
    const asked: SessionEvent = { type: "requested", request };
    expect(stateAfter(asked, summary).request?.answered).toBe(true);
    expect(stateAfter(asked, summary, { type: "toolCalled" }).request?.answered).toBe(false);
    expect(stateAfter(asked, compacting(1), summary)).toMatchObject({ request, summary: "summary" });
    expect(stateAfter(summary).request).toBeUndefined();
  });

  it("holds texts until a prompt takes them or a new epoch makes them needless", () => {
    const held: SessionEvent = { type: "held", texts: ["a"] };
    expect(stateAfter(held, held).held).toEqual(["a", "a"]);
    expect(stateAfter(held, { type: "heldTaken" }).held).toEqual([]);
    expect(stateAfter(held, renewing).held).toEqual([]);
  });

  it("keeps what the agent said last, until a tool call or a prompt follows", () => {
    const said: SessionEvent = { type: "textCompleted", text: "Done." };
    expect(stateAfter(said, stopped).answer).toBe("Done.");
    expect(stateAfter(said, { type: "toolCalled" }).answer).toBeUndefined();
    expect(stateAfter(said, { type: "prompted", agent: "build", model: "p/m" }).answer).toBeUndefined();
    expect(stateAfter(said, compacting(1), summary).answer).toBe("Done.");
  });

  it("asks the host about the session again after a prompt", () => {
    const asked = stateAfter({ type: "hostAsked" }, { type: "described", parent: "p", createdAt: 5 });
    expect(asked).toMatchObject({ isHostAsked: true, parent: "p", createdAt: 5 });
    const prompted = next(asked, { type: "prompted", agent: "build", model: "p/m" });
    expect(prompted).toMatchObject({ isHostAsked: false, agent: "build", model: "p/m" });
  });
});

describe("any sequence of events", () => {
  /** The events whose order matters, in which times grow; a renewal may give a new snapshot, the old one or none. */
  const step = fc.constantFrom(
    ...(["opening", "opened", "openedNone", "compacting", "summary", "compacted", "stopped"] as const),
    ...(["renewing", "renewedNew", "renewedOld", "renewedNone", "summarySeen", "other"] as const),
  );
  const PHASES = ["conversing", "summarising", "owing", "renewing"];

  it("reaches only named phases and never loses an owed snapshot", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let state = NEW_SESSION;
        let renewalBegan: number | undefined;
        /** When the last compaction happened that no later snapshot followed, kept apart from the code under test. */
        let owed: number | undefined;
        for (const [i, name] of steps.entries()) {
          const now = i + 1;
          const before = frozenIn(state)?.at;
          const freezes = (at: number | undefined) => {
            if (owed !== undefined && at !== undefined && at !== before && at >= owed) owed = undefined;
          };
          // A renewal's snapshot is as old as its start.
          const began = renewalBegan ?? now;
          const events: Record<typeof name, SessionEvent> = {
            opening: { type: "opening" },
            opened: opened(now),
            openedNone: opened(),
            compacting: compacting(now),
            summary,
            compacted,
            stopped,
            renewing,
            renewedNew: renewed(began),
            renewedOld: renewed(before),
            renewedNone: renewed(),
            summarySeen: { type: "summarySeen", id: "msg_1" },
            other: { type: "held", texts: ["x"] },
          };
          // The adapter ends only what it began, and begins one renewal at a time.
          if (name.startsWith("renewed") && renewalBegan === undefined) continue;
          if (name === "renewing" && renewalBegan !== undefined) continue;
          if (name === "renewing") renewalBegan = now;
          if (name.startsWith("renewed")) renewalBegan = undefined;
          if (name === "summary" && state.phase.name === "summarising") owed = state.compactingAt;
          if (name === "compacted" && needsEpoch(state)) owed ??= state.compactingAt;
          if (name === "opened") freezes(now);
          if (name === "renewedNew") freezes(began);
          state = next(state, events[name]);

          const { phase } = state;
          expect(PHASES).toContain(phase.name);
          if (owed !== undefined)
            expect(phase.name === "conversing" ? undefined : phase.owedSince).toBeDefined();
          if (renewalBegan === undefined) expect(phase.name).not.toBe("renewing");
          if (before !== undefined && name !== "openedNone") expect(state.snapshot.status).toBe("frozen");
        }
      }),
      {
        numRuns: 2_000,
        examples: [[["renewing", "compacting", "stopped", "compacted", "renewedNew"]]],
      },
    );
  });
});
