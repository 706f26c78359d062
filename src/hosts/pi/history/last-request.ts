import type { LastRequest } from "../../../moments/types.ts";
import { entryAt, textOf } from "../../shared/history/fields.ts";
import { newestRequest } from "../../shared/history/newest-request.ts";

/**
 * Reads pi's session file from its end. It holds a tree: only entries on the way from the last one back to the root
 * are this session's story. What extensions add, ours too, are entries of other types or roles.
 */
export function piLastRequest(path: string): LastRequest | undefined {
  // Files of pi's first versions have no ids: there everything is one branch, and this stays undefined.
  let next: unknown;
  return newestRequest(path, (entry) => {
    if (next !== undefined && entry["id"] !== next) return undefined;
    next = entry["parentId"];
    if (entry["type"] !== "message") return undefined;
    const message = entryAt(entry, "message");
    switch (message["role"]) {
      // One that calls a tool, or was broken off, is not the last word.
      case "assistant":
        return { kind: "work", isAnswer: message["stopReason"] === "stop" };
      case "toolResult":
        return { kind: "work", isAnswer: false };
      case "user":
        return { kind: "request", text: textOf(message["content"]), at: entry["timestamp"] };
      default:
        return undefined;
    }
  });
}
