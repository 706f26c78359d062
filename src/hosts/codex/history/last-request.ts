import type { LastRequest } from "../../../moments/types.ts";
import { type Entry, entryAt, textOf } from "../../shared/history/fields.ts";
import { newestRequest, type Trace } from "../../shared/history/newest-request.ts";

/** From a rollout file. Older versions write what the user typed as an event of its own, newer ones as an item. */
export function codexLastRequest(path: string): LastRequest | undefined {
  return newestRequest(path, trace, (line) => line.includes('"type":"event_msg"'));
}

function trace(entry: Entry): Trace | undefined {
  const payload = entryAt(entry, "payload");
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
      const item = entryAt(payload, "item");
      return item["type"] === "UserMessage"
        ? { kind: "request", text: textOf(item["content"]), at }
        : undefined;
    }
    default:
      return undefined;
  }
}
