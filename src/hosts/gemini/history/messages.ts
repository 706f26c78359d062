import { type Entry, listAt, textOf } from "../../shared/history/fields.ts";

/** Hook context follows the prompt as a part of its own; a tool's result has no text part at all. */
const HOOK = "<hook_context>";

export function saidIn(message: Entry): string {
  return textOf(message["content"], (part) => !isHookPart(part));
}

export function toldByHooks(message: Entry): string {
  return textOf(listAt(message, "content"), isHookPart);
}

export function callsIn(message: Entry): readonly Entry[] {
  return listAt(message, "toolCalls");
}

function isHookPart(part: Entry): boolean {
  return typeof part["text"] === "string" && part["text"].startsWith(HOOK);
}
