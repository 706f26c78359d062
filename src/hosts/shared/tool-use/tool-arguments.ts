import { isRecord, parseBounded } from "../../../base/json.ts";

/**
 * The arguments of a tool as the host gives them. Some tools take one text instead of named arguments. Some versions of
 * Copilot give the arguments as JSON in a string; others, such as 1.0.102, as an object.
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
    return undefined; // a text that only begins like JSON
  }
}
