import { describe, expect, it } from "vitest";
import type { SdkEvent } from "../../../../src/hosts/copilot/chat/sdk.ts";
import { stepReader } from "../../../../src/hosts/copilot/chat/steps.ts";

const event = (type: string, data: object, more: Partial<SdkEvent> = {}): SdkEvent => ({
  ...{ id: type, timestamp: "2026-11-19T10:00:00Z", type, data },
  ...more,
});
const read = (...events: SdkEvent[]) => events.flatMap(stepReader("/work"));

describe("the SDK's events", () => {
  it("are pieces of a turn, and then the turn of a transcript under the same name", () => {
    const toolRequests = [{ toolCallId: "c", name: "bash", arguments: { command: "ls" } }];
    const steps = read(
      event("assistant.message_start", { messageId: "m" }),
      event("assistant.message_delta", { messageId: "m", deltaContent: "Look" }),
      event("assistant.message_delta", { messageId: "m", deltaContent: "" }),
      event("assistant.message", { messageId: "m", content: "Look:", reasoningText: "hm", toolRequests }),
      event("tool.execution_start", { toolCallId: "c", toolName: "bash" }),
      event("tool.execution_complete", { toolCallId: "c", success: true, result: { content: "a.ts" } }),
      event("session.idle", {}),
    );
    const at = Date.parse("2026-11-19T10:00:00Z");
    expect(steps).toMatchObject([
      { kind: "begin", id: "m", at },
      { kind: "piece", id: "m", text: "Look", thinking: "" },
      { kind: "turn", turn: { id: "m", role: "assistant", text: "Look:", thinking: "hm", at } },
      { kind: "turn", turn: { role: "tool", text: "a.ts", answers: [{ call: "c" }] } },
      { kind: "idle", isAborted: false },
    ]);
    expect(steps[2]).toMatchObject({ turn: { calls: [{ id: "c", name: "bash", command: "ls" }] } });
  });

  it("tell what was denied from what failed", () => {
    const answers = ["rejected", "denied", "failure"].flatMap((code) =>
      read(
        event("tool.execution_complete", { toolCallId: "c", success: false, error: { code, message: code } }),
      ),
    );
    const denied = { turn: { answers: [{ call: "c", failed: true, rejected: true }] } };
    expect(answers).toMatchObject([denied, denied, { turn: { text: "failure" } }]);
    expect(answers[2]).toMatchObject({
      turn: { answers: [expect.not.objectContaining({ rejected: true })] },
    });
  });

  it("say in plain words what failed, and nothing of subagents", () => {
    const error = { errorType: "query", message: "HTTP 401", statusCode: 401 };
    expect(read(event("session.error", error))).toMatchObject([
      {
        turn: {
          marks: { error: true },
          text: expect.stringMatching(/^The provider refused the key.*\n\nCheck the key/),
        },
      },
    ]);
    expect(read(event("assistant.message", { content: "x" }, { agentId: "a" }))).toEqual([]);
  });
});
