import { parseBounded } from "../../../base/json.ts";

/** Which texts are split at commas: every item, only a text given instead of a list, or none. */
export type Splitting = "items" | "scalar" | "never";

export function toList(value: unknown, split: Splitting): string[] | undefined {
  if (value === null) return [];
  const given: unknown = typeof value === "string" && split !== "never" ? (jsonList(value) ?? value) : value;
  const items: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (!items.every((item) => typeof item === "string")) return undefined;
  // Every file contains the empty text, so a list with an empty text is meaningless.
  if (split === "never") return items.some((item) => item.trim() === "") ? [] : [...items];
  const splits = split === "items" || !Array.isArray(given);
  const pieces = splits ? items.flatMap((item) => item.split("\n").flatMap(splitCommas)) : items;
  return pieces.map(unquoted).filter((piece) => piece !== "");
}

/** A list that was quoted as a whole. A glob that begins with a character class is not JSON. */
function jsonList(text: string): unknown[] | undefined {
  if (!/^\s*\[.*\]\s*$/s.test(text)) return undefined;
  try {
    const value: unknown = parseBounded(text.includes('"') ? text : text.replaceAll("'", '"'));
    return Array.isArray(value) && value.every((item) => typeof item === "string") ? value : undefined;
  } catch {
    return undefined; // not a list: the text is used literally
  }
}

function unquoted(text: string): string {
  let [from, to] = [0, text.length];
  for (;;) {
    while (from < to && /\s/.test(text.charAt(from))) from++;
    while (to > from && /\s/.test(text.charAt(to - 1))) to--;
    const quote = text.charAt(from);
    if (to - from < 2 || !/["'`]/.test(quote) || text.charAt(to - 1) !== quote) return text.slice(from, to);
    from++;
    to--;
  }
}

/** Splits at commas outside of braces and quotes. A quote counts only at the start of an item. */
export function splitCommas(text: string): string[] {
  const items: string[] = [];
  let item = "";
  let depth = 0;
  let quote = "";
  for (const [token] of text.matchAll(/\\.|./gs)) {
    if (quote !== "") quote = token === quote ? "" : quote;
    else if (/["'`]/.test(token) && item.trim() === "") quote = token;
    else if (token === "{") depth++;
    else if (token === "}") depth = Math.max(0, depth - 1);
    else if (token === "," && depth === 0) {
      items.push(item.trim());
      item = "";
      continue;
    }
    item += token;
  }
  return [...items, item.trim()].filter((one) => one !== "");
}

/** A short description of any value: a YAML alias can make a value endless. */
export function show(value: unknown): string {
  if (value === null || value === undefined || value === "") return "empty";
  if (Array.isArray(value)) {
    if (value.length === 0) return "an empty list";
    const odd: unknown = value.find((item) => typeof item !== "string" || item.trim() === "");
    return odd === undefined ? "a list" : `a list with ${Array.isArray(odd) ? "a list" : show(odd)} in it`;
  }
  if (typeof value === "object") return value instanceof Date ? "a date" : "a map";
  return typeof value === "string" ? JSON.stringify(value.slice(0, 80)) : String(value);
}
