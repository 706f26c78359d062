import type { LastRequest } from "../../../moments/types.ts";
import type { Entry } from "../../shared/history/fields.ts";
import { newestRequest, type Trace } from "../../shared/history/newest-request.ts";
import { callsIn, saidIn } from "./messages.ts";

/** From a chat file. Lines that set all messages at once come with a start or a compression and repeat older ones. */
export function geminiLastRequest(path: string): LastRequest | undefined {
  return newestRequest(path, trace, (line) => /"type":"(?:user|gemini|error)"/.test(line));
}

function trace(message: Entry): Trace | undefined {
  const { type } = message;
  if (type === "error") return { kind: "work", isAnswer: false };
  if (type === "gemini") {
    return { kind: "work", isAnswer: message["content"] !== "" && callsIn(message).length === 0 };
  }
  return type === "user" ? { kind: "request", text: saidIn(message), at: message["timestamp"] } : undefined;
}
