import { describe, expect, it } from "vitest";
import { loadHistory } from "../../../src/hosts/index.ts";
import type { PiContext } from "../../../src/hosts/pi/api.ts";
import {
  continuesTurn,
  continuoMessage,
  openingOf,
  prepareSummary,
  readBranch,
  triggerOf,
  withoutOldEpochs,
} from "../../../src/hosts/pi/conversation.ts";
import { tools as ownTools, piTool } from "../../../src/hosts/pi/tools.ts";
import { createBase } from "../../../src/hosts/shared/in-process/base.ts";
import type { ToolContext } from "../../../src/moments/ports/tool.ts";

const user = { type: "message", message: { role: "user", content: "hello" } };
const compaction = { type: "compaction", timestamp: "2026-01-02T00:00:00.000Z" };
const continuos = (text: string, epoch: number) => ({
  type: "custom_message",
  ...continuoMessage([text], epoch),
});
const snapshot = (text: string, at: string) => ({ text, fingerprint: "f", at });

describe("a branch of pi's session", () => {
  it("gives what was delivered in its current epoch only", () => {
    const branch = readBranch([user, continuos("old", 0), compaction, continuos("new", 1), null, "strange"]);
    expect(branch).toEqual({
      compactions: 1,
      compactedAt: compaction.timestamp,
      hasPrompts: true,
      texts: ["new"],
    });
    expect(readBranch([])).toEqual({ compactions: 0, hasPrompts: false, texts: [] });
  });

  it("loses messages of old epochs once the new one has its own", () => {
    const [old, fresh, foreign] = [continuos("old", 0), continuos("new", 1), { role: "user" }];
    expect(withoutOldEpochs([old, foreign, fresh], 1)).toEqual([foreign, fresh]);
    expect(withoutOldEpochs([old, foreign], 1)).toBeUndefined();
    expect(withoutOldEpochs([fresh, foreign], 1)).toBeUndefined();
  });
});

describe("the opening of a session", () => {
  const before = "2026-01-01T00:00:00.000Z";
  const after = "2026-01-03T00:00:00.000Z";
  const empty = readBranch([]);
  const compacted = readBranch([user, compaction]);

  it.each([
    ["a new session", empty, undefined, false, "start"],
    ["a session from before the installation", readBranch([user]), undefined, false, "resume"],
    ["a new process", readBranch([user, continuos("s", 0)]), snapshot("s", before), false, "resume"],
    ["a turn that failed before pi wrote its file", empty, snapshot("s", before), false, "resume"],
    ["the next prompt", readBranch([user, continuos("s", 0)]), snapshot("s", before), true, undefined],
    ["a compaction without Continuo", compacted, snapshot("s", before), true, "compacted"],
    ["a compaction whose snapshot was not delivered yet", compacted, snapshot("s", after), false, "resume"],
    ["a step back to before the snapshot", readBranch([user]), snapshot("s", before), true, "resume"],
    ["nothing to deliver", readBranch([user]), snapshot("", before), true, undefined],
  ] as const)("%s", (_, branch, known, isBegun, opening) => {
    expect(openingOf(branch, known, isBegun)).toBe(opening);
  });
});

describe("a compaction", () => {
  it("is prepared without Continuo's blocks and with the handover last", () => {
    const other = { role: "user", content: "hi" };
    const lists = { messagesToSummarize: [other, continuos("rule", 0)] as unknown[], turnPrefixMessages: [] };
    prepareSummary({ preparation: lists }, "keep this", 0);
    expect(lists.messagesToSummarize).toHaveLength(2);
    expect(lists.messagesToSummarize[0]).toBe(other);
    expect(lists.messagesToSummarize[1]).toMatchObject({ role: "custom", content: [{ text: "keep this" }] });
    expect(lists.turnPrefixMessages).toEqual([]);
  });

  it("is left alone where there is nothing else, or the event has another form", () => {
    const lists = { messagesToSummarize: [continuos("rule", 0)] };
    prepareSummary({ preparation: lists }, "", 0);
    expect(lists.messagesToSummarize).toHaveLength(1);
    for (const preparation of [undefined, null, {}, { messagesToSummarize: "text" }])
      expect(() => prepareSummary({ preparation }, "keep", 0)).not.toThrow();
  });

  it("knows who asked and whether the turn continues, even if pi does not say", () => {
    expect(triggerOf({ reason: "threshold" })).toBe("auto");
    expect(triggerOf({ reason: "manual" })).toBe("manual");
    expect(triggerOf({ customInstructions: "short" })).toBe("manual");
    expect(triggerOf({})).toBe("auto");
    const failed = { type: "message", message: { role: "assistant", stopReason: "error" } };
    expect(continuesTurn({ willRetry: false }, [failed])).toBe(false);
    expect(continuesTurn({}, [user, failed, compaction])).toBe(true);
    expect(continuesTurn({}, [failed, user, compaction])).toBe(false);
  });
});

it("knows which files pi's tools touch", () => {
  const at = (tool: string, path: unknown) => ownTools.filesOf(tool, { path }, "/p/sub", "/p");
  expect(at("read", "a.ts")).toEqual([{ path: "sub/a.ts", access: "read" }]);
  expect(at("write", "@../b.ts")).toEqual([{ path: "b.ts", access: "edit" }]);
  expect(at("edit", "/p/c.ts")).toEqual([{ path: "c.ts", access: "edit" }]);
  for (const [tool, path] of [
    ["bash", "x"],
    ["constructor", "x"],
    ["read", 7],
    ["read", ""],
  ] as const)
    expect(at(tool, path)).toEqual([]);
});

it("gives a tool the signal that pi cancels a call with, and pi's services", async () => {
  const calls: ToolContext[] = [];
  const tool = piTool(
    {
      name: "watch",
      title: "Watch",
      effect: "reads",
      description: "",
      parameters: { type: "object", properties: {} },
      origin: null,
      run: async (_, call) => ({ ok: calls.push(call) > 0, text: "seen" }),
    },
    createBase("pi", { sources: [], history: loadHistory, env: { HOME: "/h" }, now: () => 0 }),
    () => services,
  );
  const services = { note: () => undefined };
  const { signal } = new AbortController();
  const ctx = {
    cwd: "/p",
    sessionManager: { getSessionId: () => "s1", getSessionFile: () => undefined },
  } as PiContext;
  await tool.execute("1", {}, signal, undefined, ctx);
  expect(calls).toMatchObject([{ session: { host: "pi", id: "s1" }, signal, host: services }]);
});
