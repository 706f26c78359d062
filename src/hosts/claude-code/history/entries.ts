import { type Entry, entryAt, listAt, textOf } from "../../shared/history/fields.ts";

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

/**
 * A command that was typed with arguments, as it was typed: those are a person's words. One without is left as the host
 * wrote it down, which counts as the machine's.
 */
export function asTyped(text: string): string {
  if (!/^\s*<command-(?:name|message)>/.test(text)) return text;
  const part = (name: string): string =>
    new RegExp(`<command-${name}>([\\s\\S]*?)</command-${name}>`).exec(text)?.[1]?.trim() ?? "";
  const words = part("args");
  return words === "" ? text : `${part("name")} ${words}`.trim();
}
