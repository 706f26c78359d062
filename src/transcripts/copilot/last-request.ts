import type { LastRequest } from "../../moments/types.ts";
import { isRecord } from "../../store/settings.ts";
import { newestRequest, type Trace } from "../newest-request.ts";

/** From `events.jsonl`, where `content` is what the user typed and `transformedContent` what was made of it. */
export function copilotLastRequest(path: string): LastRequest | undefined {
  return newestRequest(path, trace, (line) => /"type":"(?:user|assistant)\.message"|abort"/.test(line));
}

function trace(entry: Readonly<Record<string, unknown>>): Trace | undefined {
  const data = isRecord(entry["data"]) ? entry["data"] : {};
  // A subagent's messages name the tool call that they belong to.
  if (typeof data["parentToolCallId"] === "string") return undefined;
  const { type } = entry;
  if (type === "abort") return { kind: "work", isAnswer: false };
  const content = typeof data["content"] === "string" ? data["content"] : "";
  if (type === "user.message") return { kind: "request", text: content, at: entry["timestamp"] };
  if (type !== "assistant.message") return undefined;
  const calls = data["toolRequests"];
  return { kind: "work", isAnswer: content !== "" && !(Array.isArray(calls) && calls.length > 0) };
}
