import { parseBounded } from "../../../base/json.ts";
import { normalized } from "../../../base/normalized.ts";
import { occurrences } from "./occurrences.ts";

/** Characters that all keywords together are looked for in: with 500 of them the first 100,000 of a prompt. */
const MAX_SEARCHED = 50_000_000;

/**
 * Tells which of a rule's keywords a prompt holds. Letters of either case are the same, and so is any amount of white
 * space between words. A keyword counts at the beginning of a word and may be only that beginning (`test` is in
 * "testing", not in "contest"). No regular expression is made of a keyword: nothing in it can have a meaning.
 */
export function keywordMatcher(words: readonly string[]): (prompt: string) => string[] {
  const folded = words.map(foldKeyword);
  return (prompt) => {
    const found = new Set(foldedIn(prompt, folded));
    return words.filter((_, i) => found.has(folded[i] ?? ""));
  };
}

/** Which keywords a prompt holds, of keywords that were folded before: folding thousands takes long. */
export function foldedIn(prompt: string, folded: readonly string[]): string[] {
  const text = fold(prompt.slice(0, Math.floor(MAX_SEARCHED / Math.max(1, folded.length))));
  return folded.filter((word) => occurs(text, word));
}

/** Two keywords that are the same once folded are in the same prompts. */
export function foldKeyword(word: string): string {
  return fold(word).trim();
}

/** Greek writes one letter in two ways, by its place in the word. */
function fold(text: string): string {
  return normalized(text, "NFC").toLowerCase().replaceAll("ς", "σ").replace(/\s+/gu, " ");
}

function occurs(text: string, word: string): boolean {
  if (word === "") return false;
  for (const at of occurrences(text, word)) if (beginsAt(text, word, at)) return true;
  return false;
}

/** In functions, as below: most prompts need no class of all of Unicode's letters, and building one takes time. */
const startsWord = (text: string) => /^\w/.test(text) || /^[\p{L}\p{N}\p{M}_]/u.test(text);
const endsWord = (text: string) => /\w$/.test(text) || /[\p{L}\p{N}\p{M}_]$/u.test(text);

/** Scripts that put no space between words: there a word may begin after any character. */
const UNSPACED =
  "\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}";
let unspaced: RegExp | undefined;
const isUnspaced = (letter: string | undefined) => {
  unspaced ??= new RegExp(`^[${UNSPACED}]`, "u");
  return letter !== undefined && unspaced.test(letter);
};

/** Signs that join words: `/plan` is not in "docs/plan", `@x` not in "me@x.org", `-f` not in "built-for". */
const JOINING = "/@-";

function beginsAt(text: string, word: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 2), at); // two units: one letter may be a pair of them
  const afterWord = endsWord(before);
  if (startsWord(word)) return !afterWord || isUnspaced([...before].at(-1)) || isUnspaced(word);
  const sign = word.slice(0, 1);
  // More of the same sign is another thing: `.env` is not in "..env", `/plan` not in "//plan".
  return !before.endsWith(sign) && !(afterWord && JOINING.includes(sign));
}

/** What splits at commas: every text, only a text that stands for the whole list, or none. */
export type Splitting = "items" | "scalar" | "never";

export function toList(value: unknown, split: Splitting): string[] | undefined {
  if (value === null) return [];
  const given: unknown = typeof value === "string" && split !== "never" ? (jsonList(value) ?? value) : value;
  const items: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (!items.every((item) => typeof item === "string")) return undefined;
  // An empty text is in every file: a list that has one says nothing.
  if (split === "never") return items.some((item) => item.trim() === "") ? [] : [...items];
  const splits = split === "items" || !Array.isArray(given);
  const pieces = splits ? items.flatMap((item) => item.split("\n").flatMap(splitCommas)) : items;
  return pieces.map(unquoted).filter((piece) => piece !== "");
}

/** A list that was quoted as a whole. A glob that begins with a class is no JSON. */
function jsonList(text: string): unknown[] | undefined {
  if (!/^\s*\[.*\]\s*$/s.test(text)) return undefined;
  try {
    const value: unknown = parseBounded(text.includes('"') ? text : text.replaceAll("'", '"'));
    return Array.isArray(value) && value.every((item) => typeof item === "string") ? value : undefined;
  } catch {
    return undefined; // then the text is what it says
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

/** Splits at commas outside of braces and quotes; quotes count where an item begins with one. */
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

/** Short, whatever a value holds: an alias can make it endless. */
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
