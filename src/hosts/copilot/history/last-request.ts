import type { LastRequest } from "../../../moments/types.ts";
import type { Entry } from "../../shared/history/fields.ts";
import { newestRequest, type Trace } from "../../shared/history/newest-request.ts";
import { callsIn, isOfSubagent, saidIn } from "./events.ts";

/** From `events.jsonl`. */
export function copilotLastRequest(path: string): LastRequest | undefined {
  return newestRequest(path, trace, (line) => /"type":"(?:user|assistant)\.message"|abort"/.test(line));
}

function trace(event: Entry): Trace | undefined {
  if (isOfSubagent(event)) return undefined;
  const { type } = event;
  if (type === "abort") return { kind: "work", isAnswer: false };
  const text = saidIn(event);
  if (type === "user.message") return { kind: "request", text, at: event["timestamp"] };
  if (type !== "assistant.message") return undefined;
  return { kind: "work", isAnswer: text !== "" && callsIn(event).length === 0 };
}
