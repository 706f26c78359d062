import { isMachineMade, stripInjected } from "../../compose/strip.ts";
import { isRecord } from "../../store/settings.ts";
import type { LastRequest } from "../last-request.ts";
import { tailLines } from "../tail.ts";

/** A tool's result has up to 50 KB, and a request may be followed by dozens of them. */
const REACH = 4 * 1024 * 1024;

type Fields = Record<string, unknown>;

/**
 * Reads pi's session file from its end. It holds a tree: only entries on the way from the last one back to the root
 * are this session's story. What extensions add, ours too, are entries of other types or roles.
 */
export function piLastRequest(path: string): LastRequest | undefined {
  let answered: boolean | undefined;
  // Files of pi's first versions have no ids: there everything is one branch, and this stays undefined.
  let next: unknown;
  for (const line of tailLines(path, REACH)) {
    const entry = parse(line);
    if (entry === undefined || (next !== undefined && entry["id"] !== next)) continue;
    next = entry["parentId"];
    const message = entry["message"];
    if (entry["type"] !== "message" || !isRecord(message)) continue;
    // The newest answer decides: one that calls a tool, or was broken off, is not the last word.
    if (message["role"] === "assistant") answered ??= message["stopReason"] === "stop";
    if (message["role"] === "toolResult") answered ??= false;
    const text = message["role"] === "user" ? stripInjected(textOf(message)).trim() : "";
    if (text === "" || isMachineMade(text)) continue;
    const at = entry["timestamp"];
    return { text, answered: answered ?? false, ...(typeof at === "string" ? { at } : {}) };
  }
  return undefined;
}

function textOf({ content }: Fields): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .flatMap((block: unknown) =>
      isRecord(block) && typeof block["text"] === "string" ? [block["text"]] : [],
    )
    .join("\n");
}

function parse(line: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined; // half a line, while pi writes: the one before it counts
  }
}
