import type { LastRequest } from "../../moments/types.ts";
import { isRecord } from "../../store/settings.ts";
import { newestRequest, type Trace } from "../newest-request.ts";

/** From a chat file. Lines that set all messages at once come with a start or a compression and repeat older ones. */
export function geminiLastRequest(path: string): LastRequest | undefined {
  return newestRequest(path, trace, (line) => /"type":"(?:user|gemini|error)"/.test(line));
}

function trace(entry: Readonly<Record<string, unknown>>): Trace | undefined {
  const { type } = entry;
  if (type === "error") return { kind: "work", isAnswer: false };
  if (type === "gemini") {
    const calls = entry["toolCalls"];
    const isAnswer = entry["content"] !== "" && !(Array.isArray(calls) && calls.length > 0);
    return { kind: "work", isAnswer };
  }
  return type === "user"
    ? { kind: "request", text: typed(entry["content"]), at: entry["timestamp"] }
    : undefined;
}

/** Hook context follows the prompt as a part of its own; a tool's result has no text part at all. */
function typed(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const texts = content.map((part: unknown) => (isRecord(part) ? part["text"] : undefined));
  return texts.filter((text) => typeof text === "string" && !text.startsWith("<hook_context>")).join("\n");
}
