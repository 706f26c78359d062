import { isRecord, parseBounded } from "../../../base/json.ts";

/**
 * A tool's arguments as an object. Some tools take one text instead of named arguments. Some versions of Copilot pass
 * the arguments as a JSON string; others, such as 1.0.102, as an object.
 */
export function toolArguments(given: unknown): Readonly<Record<string, unknown>> {
  if (isRecord(given)) return given;
  if (typeof given !== "string" || given === "") return {};
  return (given.trimStart().startsWith("{") ? objectIn(given) : undefined) ?? { input: given };
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value = parseBounded(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined; // text that only looks like JSON
  }
}
