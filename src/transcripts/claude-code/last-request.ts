import type { LastRequest } from "../../moments/types.ts";
import { isRecord } from "../../store/settings.ts";
import { newestRequest, type Trace } from "../newest-request.ts";

/** What Claude Code writes in the user's role when the user stops it. */
const INTERRUPTED = "[Request interrupted by user";

export function claudeCodeLastRequest(path: string): LastRequest | undefined {
  return newestRequest(path, trace, (line) => /"type":"(?:user|assistant)"/.test(line));
}

function trace(entry: Readonly<Record<string, unknown>>): Trace | undefined {
  if (entry["isSidechain"] === true) return undefined;
  const text = textOf(entry);
  if (entry["type"] === "assistant") {
    const isAnswer = entry["isApiErrorMessage"] !== true && text !== "" && !callsTool(entry);
    return { kind: "work", isAnswer };
  }
  if (entry["type"] !== "user") return undefined;
  if (text.startsWith(INTERRUPTED)) return { kind: "work", isAnswer: false };
  // Not a tool's result, a summary, or a command's echo.
  const isTyped =
    entry["isMeta"] !== true && entry["isCompactSummary"] !== true && !("toolUseResult" in entry);
  return isTyped && !text.startsWith("<command-")
    ? { kind: "request", text, at: entry["timestamp"] }
    : undefined;
}

function callsTool(entry: Readonly<Record<string, unknown>>): boolean {
  const message = entry["message"];
  const content = isRecord(message) ? message["content"] : undefined;
  return (
    Array.isArray(content) &&
    content.some((block: unknown) => isRecord(block) && block["type"] === "tool_use")
  );
}

function textOf(entry: Readonly<Record<string, unknown>>): string {
  const message = entry["message"];
  const content = isRecord(message) ? message["content"] : undefined;
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const texts = content.map((block: unknown) =>
    isRecord(block) && block["type"] === "text" ? block["text"] : undefined,
  );
  return texts
    .filter((text) => typeof text === "string")
    .join("\n")
    .trim();
}
