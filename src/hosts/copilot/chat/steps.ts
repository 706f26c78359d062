import { isRecord } from "../../../base/json.ts";
import type { ChatStep } from "../../port/chat.ts";
import { type Payload, text } from "../../shared/fields.ts";
import { failureOf } from "./failures.ts";
import type { SdkEvent } from "./sdk.ts";

/** What one event of the SDK means to a conversation. Events of subagents and internal ones mean nothing. */
export function stepsOf(event: SdkEvent): readonly ChatStep[] {
  if (event.agentId !== undefined) return [];
  const data: Payload = isRecord(event.data) ? event.data : {};
  const at = Date.parse(event.timestamp ?? "") || 0;
  const message = text(data, "messageId") ?? "";
  switch (event.type) {
    case "user.message":
      return [{ kind: "user", text: text(data, "content") ?? "", at }];
    case "assistant.message_start":
      return [{ kind: "begin", message, at }];
    case "assistant.message_delta":
      return piece("text", message, text(data, "deltaContent"));
    case "assistant.reasoning_delta":
      return piece("thinking", text(data, "reasoningId") ?? message, text(data, "deltaContent"));
    case "assistant.message":
      return [{ kind: "message", message, at, text: text(data, "content") ?? "", ...thinkingIn(data) }];
    case "tool.execution_start":
      return [
        {
          kind: "call",
          call: text(data, "toolCallId") ?? "",
          tool: text(data, "toolName") ?? "",
          input: shown(data["arguments"]),
          at,
        },
      ];
    case "tool.execution_complete":
      return [resultOf(data)];
    case "assistant.usage":
      return [{ kind: "usage", usage: usageOf(data) }];
    case "session.compaction_complete":
      return data["success"] === false ? [] : [{ kind: "compacted", at }];
    case "session.error":
      return [{ kind: "failure", failure: failureOf(data), at }];
    case "session.title_changed":
      return [{ kind: "title", text: text(data, "title") ?? "" }];
    case "session.idle":
      return [{ kind: "idle", isAborted: data["aborted"] === true }];
    default:
      return [];
  }
}

function piece(kind: "text" | "thinking", message: string, said: string | undefined): readonly ChatStep[] {
  return said === undefined || said === "" ? [] : [{ kind, message, text: said }];
}

function thinkingIn(data: Payload): { thinking?: string } {
  const thinking = text(data, "reasoningText");
  return thinking === undefined || thinking === "" ? {} : { thinking };
}

function resultOf(data: Payload): ChatStep {
  const result = isRecord(data["result"]) ? data["result"] : {};
  const error = isRecord(data["error"]) ? data["error"] : {};
  return {
    kind: "result",
    call: text(data, "toolCallId") ?? "",
    outcome: data["success"] !== false ? "done" : DENIED.has(text(error, "code") ?? "") ? "denied" : "failed",
    text: text(result, "content") ?? text(error, "message") ?? "",
  };
}

function usageOf(data: Payload) {
  const number = (name: string) => {
    const value = data[name];
    return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : 0;
  };
  return {
    input: number("inputTokens"),
    output: number("outputTokens"),
    cacheRead: number("cacheReadTokens"),
    cost: number("cost"),
  };
}

const DENIED: ReadonlySet<string> = new Set(["denied", "rejected"]);

/** A tool's arguments as a person reads them: the command alone where there is one. */
function shown(input: unknown): string {
  if (isRecord(input) && typeof input["command"] === "string") return input["command"];
  return typeof input === "string" ? input : (JSON.stringify(input ?? {}, null, 1) ?? "");
}
