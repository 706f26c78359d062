import type { LastRequest } from "../../moments/types.ts";
import { isRecord } from "../../store/settings.ts";
import { newestRequest, type Trace } from "../newest-request.ts";

/** From a rollout file. Older versions write what the user typed as an event of its own, newer ones as an item. */
export function codexLastRequest(path: string): LastRequest | undefined {
  return newestRequest(path, trace, (line) => line.includes('"type":"event_msg"'));
}

function trace(entry: Readonly<Record<string, unknown>>): Trace | undefined {
  const payload = entry["payload"];
  if (!isRecord(payload)) return undefined;
  const at = entry["timestamp"];
  switch (payload["type"]) {
    case "task_complete":
      return { kind: "work", isAnswer: typeof payload["last_agent_message"] === "string" };
    case "turn_aborted":
    case "error":
      return { kind: "work", isAnswer: false };
    case "user_message":
      return { kind: "request", text: String(payload["message"] ?? ""), at };
    case "item_completed": {
      const item = payload["item"];
      if (!isRecord(item) || item["type"] !== "UserMessage") return undefined;
      return { kind: "request", text: textOf(item["content"]), at };
    }
    default:
      return undefined;
  }
}

function textOf(content: unknown): string {
  if (!Array.isArray(content)) return "";
  const texts = content.map((part: unknown) => (isRecord(part) ? part["text"] : undefined));
  return texts.filter((text) => typeof text === "string").join("\n");
}
