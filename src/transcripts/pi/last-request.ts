import type { LastRequest } from "../../moments/types.ts";
import { isRecord } from "../../store/settings.ts";
import { newestRequest } from "../newest-request.ts";

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
    const message = entry["message"];
    if (entry["type"] !== "message" || !isRecord(message)) return undefined;
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

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const texts = content.map((block: unknown) => (isRecord(block) ? block["text"] : undefined));
  return texts.filter((text) => typeof text === "string").join("\n");
}
