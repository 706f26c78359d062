import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { HostName } from "../../../../src/base/host-names.ts";
import { lastRequest } from "../../../support/histories.ts";
import { temporaryFolder, write } from "../../../support/world.ts";

const AT = "2026-11-15T11:58:45.982Z";

/** The shapes of lines that the real programs wrote, shortened. */
const CODEX = {
  user: (text: string) =>
    event({ type: "item_completed", item: { type: "UserMessage", content: [{ type: "text", text }] } }),
  userBefore: (message: string) => event({ type: "user_message", message }),
  injected: JSON.stringify({
    type: "response_item",
    payload: {
      type: "message",
      role: "user",
      content: [{ type: "input_text", text: "<environment_context>" }],
    },
  }),
  done: event({ type: "task_complete", last_agent_message: "done" }),
  aborted: event({ type: "turn_aborted", reason: "interrupted" }),
};

const COPILOT = {
  user: (content: string) => copilot("user.message", { content, transformedContent: `${content} and more` }),
  child: copilot("user.message", { content: "do the job", parentToolCallId: "call_1" }),
  done: copilot("assistant.message", { content: "done", toolRequests: [] }),
  calls: copilot("assistant.message", { content: "I look", toolRequests: [{ name: "view" }] }),
};

const GEMINI = {
  greeting: JSON.stringify({
    $set: { messages: [{ type: "user", content: [{ text: "<session_context>" }] }] },
  }),
  user: (...texts: string[]) =>
    gemini(
      "user",
      texts.map((text) => ({ text })),
    ),
  result: gemini("user", [{ functionResponse: { name: "read_file" } }]),
  done: gemini("gemini", "done"),
  calls: JSON.stringify({ type: "gemini", content: "", toolCalls: [{ name: "read_file" }] }),
};

function event(payload: object): string {
  return JSON.stringify({ timestamp: AT, type: "event_msg", payload });
}

function copilot(type: string, data: object): string {
  return JSON.stringify({ type, data, timestamp: AT });
}

function gemini(type: string, content: unknown): string {
  return JSON.stringify({ id: "1", timestamp: AT, type, content });
}

describe.each<[HostName, string, readonly string[], object | undefined]>([
  [
    "codex",
    "an answer",
    [CODEX.injected, CODEX.user("first"), CODEX.done],
    { text: "first", answered: true, at: AT },
  ],
  [
    "codex",
    "an interruption",
    [CODEX.user("a"), CODEX.done, CODEX.user("b"), CODEX.aborted],
    { text: "b", answered: false, at: AT },
  ],
  [
    "codex",
    "an older version's line",
    [CODEX.userBefore("old"), CODEX.done],
    { text: "old", answered: true, at: AT },
  ],
  ["codex", "nothing typed", [CODEX.injected], undefined],
  ["copilot", "an answer", [COPILOT.user("first"), COPILOT.done], { text: "first", answered: true, at: AT }],
  [
    "copilot",
    "a tool call in the middle",
    [COPILOT.user("first"), COPILOT.child, COPILOT.calls],
    { text: "first", answered: false, at: AT },
  ],
  [
    "gemini",
    "an answer",
    [GEMINI.user("first", "<hook_context>ours</hook_context>"), GEMINI.done, GEMINI.greeting],
    { text: "first", answered: true, at: AT },
  ],
  [
    "gemini",
    "a tool call in the middle",
    [GEMINI.user("first"), GEMINI.calls, GEMINI.result, "{half"],
    { text: "first", answered: false, at: AT },
  ],
])("lastRequest in %s's history, after %s", (host, _, lines, expected) => {
  it("is the newest prompt that a person typed, and whether it was answered", () => {
    const folder = temporaryFolder();
    write(folder, { "history.jsonl": `${lines.join("\n")}\n` });
    expect(lastRequest(host, join(folder, "history.jsonl"))).toEqual(expected);
  });
});
