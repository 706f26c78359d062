import { isMachineMade, stripInjected } from "../../compose/strip.ts";
import type { LastRequest } from "../../moments/types.ts";
import { isRecord } from "../../store/settings.ts";
import { tailLines } from "../tail.ts";

/** Whole API requests are kept in transcripts, 100 KB each: the last prompt may lie some way back. */
const REACH = 4 * 1024 * 1024;

/** Reads Claude Code's transcript from its end: the newest prompt that a person typed, and whether text followed it. */
export function claudeCodeLastRequest(path: string): LastRequest | undefined {
  let answered: boolean | undefined;
  for (const line of tailLines(path, REACH)) {
    // Cheaper than parsing a line of 100 KB that is neither.
    if (!line.includes('"type":"user"') && !line.includes('"type":"assistant"')) continue;
    const entry = parse(line);
    if (entry === undefined || entry["isSidechain"] === true) continue;
    if (entry["type"] === "assistant") {
      // The newest entry decides: text that a tool call followed was not the answer yet.
      answered ??= entry["isApiErrorMessage"] !== true && textOf(entry) !== "" && !callsTool(entry);
      continue;
    }
    if (textOf(entry).startsWith(INTERRUPTED)) {
      answered ??= false;
      continue;
    }
    const text = entry["type"] === "user" ? promptOf(entry) : undefined;
    if (text === undefined) continue;
    const at = entry["timestamp"];
    return { text, answered: answered ?? false, ...(typeof at === "string" ? { at } : {}) };
  }
  return undefined;
}

/** A prompt of a person: not a tool's result, a summary, a command's echo, or something injected. */
function promptOf(entry: Record<string, unknown>): string | undefined {
  if (entry["isMeta"] === true || entry["isCompactSummary"] === true || "toolUseResult" in entry)
    return undefined;
  const text = stripInjected(textOf(entry)).trim();
  return text === "" || isMachineMade(text) || text.startsWith("<command-") ? undefined : text;
}

/** What Claude Code writes in the user's role when the user stops it. */
const INTERRUPTED = "[Request interrupted by user";

function callsTool(entry: Record<string, unknown>): boolean {
  const message = entry["message"];
  const content = isRecord(message) ? message["content"] : undefined;
  return (
    Array.isArray(content) &&
    content.some((block: unknown) => isRecord(block) && block["type"] === "tool_use")
  );
}

function textOf(entry: Record<string, unknown>): string {
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

function parse(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined; // half a line, while the host writes: the one before it counts
  }
}
