import { createScanner } from "jsonc-parser";
import { STRING, statementsOf } from "./toml.ts";

/** A value or a comment in a settings file, as text. */
interface SettingValue {
  readonly kind: "value" | "comment";
  readonly start: number;
  readonly end: number;
  /** The keys on the path to it, without list indexes, because these change when an element is removed. */
  readonly keys: readonly string[];
}

/** Every value and comment of a settings file in order; the rest is keys and punctuation. */
export function settingValues(file: string, text: string): SettingValue[] {
  return file.endsWith(".toml") ? inToml(text) : inJson(text);
}

// The library declares them as a `const enum`, which does not exist at run time.
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST, COMMA, COLON] = [1, 2, 3, 4, 5, 6];
const STRING_TOKEN = 10;
const COMMENTS = [12, 13];
const SPACE = [14, 15];
const END = 17;

/** Includes comments. Also works on damaged text, where a value may get the wrong keys. */
function inJson(text: string): SettingValue[] {
  const found: SettingValue[] = [];
  const scanner = createScanner(text);
  const keys: string[] = [];
  /** The open containers, and whether each one's opening used up a key. */
  const open: { readonly isList: boolean; readonly hasKey: boolean }[] = [];
  let isKeyed = false;
  const endOfValue = () => {
    if (isKeyed) keys.pop();
    isKeyed = false;
  };
  for (let kind: number = scanner.scan(); kind !== END; kind = scanner.scan()) {
    const [start, end] = [scanner.getTokenOffset(), scanner.getTokenOffset() + scanner.getTokenLength()];
    if (SPACE.includes(kind)) continue;
    if (COMMENTS.includes(kind)) found.push({ kind: "comment", start, end, keys: [...keys] });
    else if (kind === OPEN_OBJECT || kind === OPEN_LIST) {
      open.push({ isList: kind === OPEN_LIST, hasKey: isKeyed });
      isKeyed = false;
    } else if (kind === CLOSE_OBJECT || kind === CLOSE_LIST) {
      endOfValue();
      isKeyed = open.pop()?.hasKey ?? false;
    } else if (kind === COMMA) endOfValue();
    else if (kind === COLON) isKeyed = true;
    else if (kind === STRING_TOKEN && !isKeyed && open.at(-1)?.isList === false && colonFollows(text, end))
      keys.push(scanner.getTokenValue());
    else found.push({ kind: "value", start, end, keys: [...keys] });
  }
  return found;
}

function colonFollows(text: string, from: number): boolean {
  const scanner = createScanner(text, true);
  scanner.setPosition(from);
  return scanner.scan() === COLON;
}

function inToml(text: string): SettingValue[] {
  const found: SettingValue[] = [];
  let done = 0;
  for (const { path, value, start, end } of statementsOf(text)) {
    commentsIn(text, done, start, found);
    if (value !== undefined) inTomlValue(text, path, value, found);
    commentsIn(text, value?.end ?? start, end, found);
    done = end;
  }
  commentsIn(text, done, text.length, found);
  return found;
}

/** Comments between statements, or after one. A header may contain `#` in a quoted key. */
function commentsIn(text: string, from: number, to: number, found: SettingValue[]): void {
  const pattern = new RegExp(`(?:${STRING.source})|(#[^\\r\\n]*)`, "g");
  for (const match of text.slice(from, to).matchAll(pattern)) {
    const start = from + match.index;
    if (match[1] !== undefined)
      found.push({ kind: "comment", start, end: start + match[0].length, keys: [] });
  }
}

/** A word or a string inside a value, or a comment between the elements of a list. */
const PIECE = new RegExp(`(${STRING.source})|(#[^\\r\\n]*)|[^\\s,=\\[\\]{}]+`, "g");

function inTomlValue(
  text: string,
  path: readonly string[],
  { start, end }: { readonly start: number; readonly end: number },
  found: SettingValue[],
): void {
  // All keys of nested tables count, at any depth: it is enough that equal values have equal keys.
  let key: readonly string[] = [];
  for (const match of text.slice(start, end).matchAll(PIECE)) {
    const from = start + match.index;
    const to = from + match[0].length;
    const isComment = match[2] !== undefined;
    if (!isComment && /^[ \t]*=/.test(text.slice(to, end))) key = [match[0].replaceAll(/^["']|["']$/g, "")];
    else found.push({ kind: isComment ? "comment" : "value", start: from, end: to, keys: [...path, ...key] });
  }
}
