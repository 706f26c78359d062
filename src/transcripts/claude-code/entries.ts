import { type Entry, entryAt, listAt, textOf } from "../fields.ts";

/** What Claude Code writes in the user's role when the user, or a hook, stops it. */
const INTERRUPTED = ["[Request interrupted by user", "Operation stopped by hook"];

export function saidIn(entry: Entry): string {
  return textOf(entryAt(entry, "message")["content"], (block) => block["type"] === "text").trim();
}

export function blocksIn(entry: Entry): readonly Entry[] {
  return listAt(entryAt(entry, "message"), "content");
}

export function isInterruption(text: string): boolean {
  return INTERRUPTED.some((beginning) => text.startsWith(beginning));
}

/** A prompt: not a tool's result, a summary, or what the host adds in the user's role. */
export function isPrompt(entry: Entry): boolean {
  return (
    entry["type"] === "user" &&
    entry["isMeta"] !== true &&
    entry["isCompactSummary"] !== true &&
    !("toolUseResult" in entry) &&
    !blocksIn(entry).some((block) => block["type"] === "tool_result")
  );
}
