import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { claudeCode } from "../../../../src/hosts/claude-code/hook.ts";
import { MAX_PAYLOAD_BYTES } from "../../../../src/hosts/shared/fields.ts";
import { parseEvent } from "../../../../src/hosts/shared/hook/parse-event.ts";
import { isAnsweredByTool, readToolCall, toolInput } from "../../../../src/hosts/shared/hook/tool-input.ts";
import recorded from "../../../fakes/claude-code-payloads.json" with { type: "json" };
import { compareEdits } from "../../../support/equal-edits.ts";

compareEdits();

/** As Claude Code 2.1.325 fills in the template: strings only, an object as JSON, a missing field as "". */
function filledIn(
  template: Record<string, string>,
  payload: Record<string, unknown>,
): Record<string, string> {
  const fill = (text: string) =>
    text.replace(/\$\{([a-zA-Z_][a-zA-Z0-9_.]*)\}/g, (_, path: string) => {
      const value = path
        .split(".")
        .reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], payload);
      if (value === undefined || value === null) return "";
      return typeof value === "object" ? JSON.stringify(value) : String(value);
    });
  return Object.fromEntries(Object.entries(template).map(([key, value]) => [key, fill(value)]));
}

const payloads = Object.entries(recorded.payloads as Record<string, Record<string, unknown>>).filter(
  ([, payload]) => isAnsweredByTool(claudeCode, String(payload["hook_event_name"])),
);

const call = (event: string) => ({ event, env: {}, cwd: "/", at: 0 });

/** What a hook process makes of the payload, and what the server makes of the tool call with it. */
function bothWays(event: string, payload: Record<string, unknown>) {
  const { payload: rebuilt } = readToolCall(claudeCode, filledIn(toolInput(claudeCode, event), payload));
  return {
    asProcess: comparable(parseEvent(claudeCode, call(event), payload)),
    asTool: comparable(parseEvent(claudeCode, call(event), rebuilt())),
  };
}

describe("a hook that calls the MCP server", () => {
  it("is there for prompts, tool calls, compactions and idle, not for what begins or ends a session", () => {
    const events = Object.keys(claudeCode.events).filter((event) => isAnsweredByTool(claudeCode, event));
    expect(events).toEqual([
      "UserPromptSubmit",
      "PreToolUse",
      "PostToolUse",
      "PreCompact",
      "PostCompact",
      "Stop",
    ]);
    expect(payloads.length).toBeGreaterThan(10);
  });

  it.each(payloads)("means the same as a hook process with a real payload: %s", (_, payload) => {
    const { asProcess, asTool } = bothWays(String(payload["hook_event_name"]), payload);
    expect(asProcess).toBeDefined();
    expect(asTool).toEqual(asProcess);
  });

  it("means the same as a hook process with any payload", () => {
    const field = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constant(`\${session_id}`),
      fc.constant(undefined),
    );
    const object = fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue({ maxDepth: 3 }));
    const payload = fc.record({
      session_id: fc.stringMatching(/^[\w-]{1,40}$/),
      agent_id: fc.oneof(fc.stringMatching(/^[\w-]{1,40}$/), fc.constant(undefined)),
      prompt: field,
      tool_name: field,
      tool_input: fc.oneof(object, fc.constant(undefined)),
      trigger: field,
      compact_summary: field,
      custom_instructions: fc.constant(null),
      stop_hook_active: fc.boolean(),
    });
    const events = Object.keys(claudeCode.events).filter((event) => isAnsweredByTool(claudeCode, event));
    fc.assert(
      fc.property(fc.constantFrom(...events), payload, (event, given) => {
        const { asProcess, asTool } = bothWays(event, JSON.parse(JSON.stringify(given)));
        expect(asTool).toEqual(asProcess);
      }),
    );
  });

  it.each([
    ["nothing", undefined],
    ["a text", "PostToolUse"],
    ["no event", { session_id: "s" }],
    ["an event that needs a process", { event: "SessionEnd", session_id: "s" }],
    ["the name of a function", { event: "constructor", session_id: "s" }],
    ["no session", { event: "Stop" }],
    ["a session that is no id", { event: "Stop", session_id: "../../etc/passwd" }],
    ["a session that is too long", { event: "Stop", session_id: "s".repeat(201) }],
    ["a field that is no text", { event: "Stop", session_id: "s", cwd: { a: 1 } }],
    ["an object that is not JSON", { event: "PostToolUse", session_id: "s", tool_input: "{" }],
    [
      "an object that is nested deeply",
      { event: "PostToolUse", session_id: "s", tool_input: "[".repeat(9_000) },
    ],
    ["too much", { event: "UserPromptSubmit", session_id: "s", prompt: "x".repeat(MAX_PAYLOAD_BYTES) }],
  ])("is refused with %s, with a reason for the health log", (_, args) => {
    expect(() => readToolCall(claudeCode, args).payload()).toThrow(
      expect.objectContaining({ code: "hook-call" }),
    );
  });
});

/** What looks into the transcript is a function of its own each time. */
function comparable(event: ReturnType<typeof parseEvent>) {
  return event && { ...event, moment: { ...event.moment, shows: "shows" in event.moment } };
}
