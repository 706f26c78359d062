import { isRecord, isRefusedJson, parseBounded } from "../../../base/json.ts";
import type { Usage } from "../../../moments/ports/turn.ts";

/** A JSON object from a history. Any field may be missing or of another type. */
export type Entry = Readonly<Record<string, unknown>>;

export function parseJson(line: string): Record<string, unknown> | undefined {
  const entry = entryIn(line);
  return entry === "refused" ? undefined : entry;
}

/**
 * A line's object. "refused": too complex to parse. undefined: damaged, or still being written by the host; the caller
 * knows which.
 */
export function entryIn(line: string): Record<string, unknown> | "refused" | undefined {
  try {
    const value = parseBounded(line);
    return isRecord(value) ? value : undefined;
  } catch (error) {
    return isRefusedJson(error) ? "refused" : undefined;
  }
}

export function entryAt(entry: Entry, key: string): Entry {
  const value = entry[key];
  return isRecord(value) ? value : {};
}

export function listAt(entry: Entry, key: string): readonly Entry[] {
  const value = entry[key];
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

export function textAt(entry: Entry, key: string): string | undefined {
  const value = entry[key];
  return typeof value === "string" ? value : undefined;
}

export function numberAt(entry: Entry, key: string): number {
  const value = entry[key];
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

/** Parses a time, which hosts write as text or as milliseconds. */
export function timeOf(value: unknown): number | undefined {
  const at = typeof value === "string" ? Date.parse(value) : value;
  // `Date` cannot represent larger values.
  return typeof at === "number" && Math.abs(at) <= 8.64e15 ? at : undefined;
}

/** The text of a message's content, which is a string or a list of blocks. */
export function textOf(content: unknown, isWanted: (block: Entry) => boolean = () => true): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .filter(isRecord)
    .filter(isWanted)
    .map((block) => block["text"])
    .filter((text) => typeof text === "string")
    .join("\n");
}

/** An answer's tokens. `names`: the host's names of input, output, read from the cache, and written to the cache. */
export function usageIn(
  counts: Entry,
  [input, output, cacheRead, cacheWrite]: readonly [string, string, string, string],
): Usage {
  return {
    input: numberAt(counts, input),
    output: numberAt(counts, output),
    cacheRead: numberAt(counts, cacheRead),
    cacheWrite: numberAt(counts, cacheWrite),
  };
}

/** What the model thought before it answered. */
export function thoughtsIn(blocks: readonly Entry[]): string {
  const thoughts = blocks.map((block) => textAt(block, "thinking") ?? "");
  return thoughts.filter((thought) => thought !== "").join("\n\n");
}

/** A tool's input, which some hosts store as JSON text. Text that is not JSON is returned as `input`. */
export function inputOf(value: unknown): Entry {
  if (isRecord(value)) return value;
  if (typeof value !== "string") return {};
  try {
    const parsed = parseBounded(value);
    return isRecord(parsed) ? parsed : { input: value };
  } catch {
    return { input: value }; // a command, or a patch
  }
}

/** The object without its undefined values, because an optional property must be absent rather than undefined. */
export function present<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
