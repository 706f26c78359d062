import type { LastRequest } from "../../../moments/types.ts";
import type { Entry } from "../../shared/history/fields.ts";
import { newestRequest, type Trace } from "../../shared/history/newest-request.ts";
import { asTyped, blocksIn, isInterruption, isPrompt, saidIn } from "./entries.ts";

export function claudeCodeLastRequest(path: string): LastRequest | undefined {
  return newestRequest(path, trace, (line) => /"type":"(?:user|assistant)"/.test(line));
}

function trace(entry: Entry): Trace | undefined {
  if (entry["isSidechain"] === true) return undefined;
  const text = asTyped(saidIn(entry));
  if (entry["type"] === "assistant") {
    const isAnswer = entry["isApiErrorMessage"] !== true && text !== "" && !callsTool(entry);
    return { kind: "work", isAnswer };
  }
  if (entry["type"] !== "user") return undefined;
  if (isInterruption(text)) return { kind: "work", isAnswer: false };
  // A command's echo is no request.
  return isPrompt(entry) && !text.startsWith("<command-")
    ? { kind: "request", text, at: entry["timestamp"] }
    : undefined;
}

function callsTool(entry: Entry): boolean {
  return blocksIn(entry).some((block) => block["type"] === "tool_use");
}
