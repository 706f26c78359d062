import { isRecord } from "../../../base/json.ts";
import type { ChatStep } from "../../../moments/ports/chat.ts";
import type { Turn } from "../../../moments/ports/turn.ts";
import { type Payload, text } from "../../shared/fields.ts";
import { copilotParser } from "../history/reader.ts";
import { failureOf } from "./failures.ts";
import type { SdkEvent } from "./sdk.ts";

/**
 * Translates events of the SDK into steps of a conversation. Complete ones are read like a transcript, which has the
 * same events. Those of subagents and internal ones are ignored.
 */
export function stepReader(cwd: string): (event: SdkEvent) => readonly ChatStep[] {
  const parser = copilotParser({ cwd, root: cwd });
  let events = 0;
  return (event) => {
    events += 1;
    if (event.agentId !== undefined) return [];
    const data: Payload = isRecord(event.data) ? event.data : {};
    const id = text(data, "messageId") ?? "";
    switch (event.type) {
      case "assistant.message_start":
        return [{ kind: "begin", id, at: Date.parse(event.timestamp ?? "") || 0 }];
      case "assistant.message_delta":
        return piece(id, text(data, "deltaContent"), "");
      case "assistant.reasoning_delta":
        return piece(text(data, "reasoningId") ?? id, "", text(data, "deltaContent"));
      case "assistant.usage":
        return [{ kind: "usage", usage: usageOf(data) }];
      case "session.title_changed":
        return [{ kind: "title", text: text(data, "title") ?? "" }];
      case "session.idle":
        return [{ kind: "idle", isAborted: data["aborted"] === true }];
    }
    const parsed = parser.parse({ ...event }, events);
    return "turns" in parsed ? parsed.turns.map((turn) => ({ kind: "turn", turn: live(turn, data) })) : [];
  };
}

/** Keeps the id that the turn's pieces had, and replaces an error by words that help. */
function live(turn: Turn, data: Payload): Turn {
  if (turn.role === "assistant") return { ...turn, id: text(data, "messageId") ?? turn.id };
  if (turn.marks.error !== true) return turn;
  const { message, hint } = failureOf(data);
  return { ...turn, text: `${message}\n\n${hint}` };
}

function piece(id: string, said = "", thinking = ""): readonly ChatStep[] {
  return said + thinking === "" ? [] : [{ kind: "piece", id, text: said, thinking }];
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
