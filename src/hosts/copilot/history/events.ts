import { type Entry, entryAt, textAt } from "../../shared/history/fields.ts";

/** `content` is what the user typed, `transformedContent` what was made of it. */
export function saidIn(event: Entry): string {
  return textAt(entryAt(event, "data"), "content") ?? "";
}

/** A subagent's events name it, and in older versions the tool call that it works for. */
export function isOfSubagent(event: Entry): boolean {
  return (
    typeof event["agentId"] === "string" || typeof entryAt(event, "data")["parentToolCallId"] === "string"
  );
}

export function callsIn(event: Entry): readonly unknown[] {
  const calls = entryAt(event, "data")["toolRequests"];
  return Array.isArray(calls) ? calls : [];
}
