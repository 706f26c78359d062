import { isRecord } from "../../base/settings.ts";
import type { PiEvent } from "./api.ts";
import { isOurs, ourMessage } from "./conversation.ts";

/**
 * pi has no way to add to the summariser's instructions, but what it summarises next is the very list that the event
 * carries: our own blocks leave it (they come back after the compaction anyway), and the handover is its last message.
 * A version that hands out a copy loses only this.
 */
export function prepareSummary(event: PiEvent, handover: string, compactions: number): void {
  const preparation = event["preparation"];
  if (!isRecord(preparation)) return;
  const lists = [preparation["messagesToSummarize"], preparation["turnPrefixMessages"]].filter(Array.isArray);
  for (const list of lists) {
    const others = list.filter((message: unknown) => !isOurs(message));
    // Nothing but ours: an empty list could make the compaction fail, which is worse than a restated rule.
    if (others.length > 0) list.splice(0, list.length, ...others);
  }
  const target = lists.find((list) => list.length > 0);
  if (handover === "" || target === undefined) return;
  target.push({ role: "custom", ...ourMessage([handover], compactions), timestamp: Date.now() });
}

/** Who asked for it; 0.73.1 does not say, but only a person gives instructions. */
export function triggerOf(event: PiEvent): "manual" | "auto" {
  if (typeof event["reason"] === "string") return event["reason"] === "manual" ? "manual" : "auto";
  return typeof event["customInstructions"] === "string" ? "manual" : "auto";
}

/**
 * Does pi go on with the interrupted turn right after the compaction, without a prompt? Newer versions say so. For
 * 0.73.1 it is the compaction that follows an answer that failed because the context was full.
 */
export function goesOn(event: PiEvent, branch: readonly unknown[]): boolean {
  if (typeof event["willRetry"] === "boolean") return event["willRetry"];
  const last = branch
    .filter(isRecord)
    .map((entry) => entry["message"])
    .filter(isRecord)
    .at(-1);
  return last?.["role"] === "assistant" && last["stopReason"] === "error";
}
