import { isRecord } from "../base/json.ts";

/** The offsets of the frontmatter in the unchanged text, so that an edit can keep every byte. */
interface Cut {
  /** Start and end of the YAML between the two lines of dashes. */
  readonly start: number;
  readonly end: number;
  /** Where the text after the closing line begins. */
  readonly body: number;
}

/** Frontmatter begins at the first character of the text. "unclosed" when no closing line follows. */
export function cutFrontmatter(text: string): Cut | "none" | "unclosed" {
  const open = /^\ufeff?---[ \t]*(?:\r\n?|\n|$)/.exec(text);
  if (open === null) return "none";
  const start = open[0].length;
  // Only a line of its own closes it: `---` inside a value belongs to the value.
  const close = /^(?:---|\.\.\.)[ \t]*(?:\r\n?|\n|$(?![\s\S]))/gm;
  close.lastIndex = start;
  const found = close.exec(text);
  if (found === null) return "unclosed";
  return { start, end: found.index, body: found.index + found[0].length };
}

type Keys = { readonly values: Readonly<Record<string, unknown>> } | { readonly problem: string };

/** Larger than any real frontmatter, and small enough that no input makes parsing slow. */
const MAX_LENGTH = 16 * 1024;

/** Reads the YAML of a frontmatter. Invalid YAML gives a problem; it never throws. */
export async function readYamlKeys(yaml: string): Promise<Keys> {
  if (yaml.trim() === "") return { values: {} };
  if (yaml.length > MAX_LENGTH) return { problem: `it has more than ${MAX_LENGTH} characters` };
  const simple = readSimpleYaml(yaml.replace(/\r\n?/g, "\n"));
  if (simple !== undefined) return { values: simple };
  // The full parser takes milliseconds to load, so it is loaded only when needed.
  const { load } = await import("js-yaml");
  try {
    const value: unknown = load(yaml, { json: true }) ?? {};
    return isRecord(value) ? { values: value } : { problem: "it holds no keys" };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { problem: message.split("\n")[0]?.slice(0, 160) ?? "" };
  }
}

/**
 * Reads the subset of YAML that nearly all frontmatter uses: `key: value` with a plain or quoted scalar, or a list of
 * them, in brackets or with dashes. Returns undefined for anything else: the caller then uses the full parser, which
 * takes a hook 8 ms to load. A test checks that both agree wherever this one gives a result.
 */
export function readSimpleYaml(yaml: string): Record<string, unknown> | undefined {
  const result: Record<string, unknown> = {};
  const lines = yaml.split("\n").filter((line) => !/^\s*(#|$)/.test(line));
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const [start, key] = /^([A-Za-z][\w-]*):(?= |$)/.exec(line) ?? [];
    if (start === undefined || key === undefined || key in result) return undefined;
    const rest = trimSpaces(line.slice(start.length));
    if (LINE_END.test(rest)) return undefined;
    let value: unknown;
    if (rest === "") {
      const list: unknown[] = [];
      const indent = /^ */.exec(lines[at + 1] ?? "")?.[0] ?? "";
      for (let item = dash(lines[at + 1], indent); item !== undefined; item = dash(lines[at + 1], indent)) {
        const read = scalar(item, PLAIN);
        if (read === undefined) return undefined;
        list.push(read);
        at++;
      }
      // An empty value is null, as in the frontmatter that Cursor writes; an indented line is left to the full parser.
      value = list.length > 0 ? list : null;
    } else value = rest.startsWith("[") ? flow(rest) : scalar(rest, PLAIN);
    if (value === undefined) return undefined;
    result[key] = value;
  }
  return result;
}

/** The item in a line of a list; all lines of a list have the same indentation. */
function dash(line: string | undefined, indent: string): string | undefined {
  const [start, space] = /^( *)-(?= )/.exec(line ?? "") ?? [];
  if (start === undefined || line === undefined || space !== indent) return undefined;
  const item = trimSpaces(line.slice(start.length));
  return LINE_END.test(item) ? undefined : item;
}

/** Line breaks for a YAML parser, besides the line feed at which lines were split. */
const LINE_END = /[\r\u2028\u2029]/;

/** By hand: a regular expression for spaces at the end of a text takes quadratic time when something follows them. */
export function trimSpaces(text: string, blanks = " "): string {
  let [from, to] = [0, text.length];
  while (from < to && blanks.includes(text.charAt(from))) from++;
  while (to > from && blanks.includes(text.charAt(to - 1))) to--;
  return text.slice(from, to);
}

/** A bracketed list on one line whose items are quoted, or plain without a comma. */
function flow(text: string): unknown[] | undefined {
  if (!/^\[.*\]$/.test(text)) return undefined;
  const inner = text.slice(1, -1).trim();
  if (inner === "") return [];
  const items = itemsOf(inner);
  if (items === undefined) return undefined;
  const read = items.map((item) => scalar(item, PLAIN_IN_BRACKETS));
  return read.includes(undefined) ? undefined : read;
}

/** Items separated by commas; undefined when there is anything else. */
function itemsOf(text: string): string[] | undefined {
  const item = /"[^"\\]*"|'[^']*'|[^,"'\s][^,"']*/y;
  const blank = /\s*/y;
  const items: string[] = [];
  for (let at = 0; ; ) {
    item.lastIndex = at;
    const [found] = item.exec(text) ?? [];
    if (found === undefined) return undefined;
    items.push(found.trim());
    at = skip(at + found.length);
    if (at === text.length) return items;
    if (text[at] !== ",") return undefined;
    at = skip(at + 1);
  }

  function skip(from: number): number {
    blank.lastIndex = from;
    return from + (blank.exec(text)?.[0].length ?? 0);
  }
}

/** As in the dates of notes. Kept as text, as the full parser does. */
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

/** Plain words without characters that have a meaning in YAML. */
const PLAIN = /^[A-Za-z][A-Za-z0-9 .,;/\\_+()[\]{}'"&*!?%@=<>|~$^\u00c0-\u1fff\u2010-\u2027\u2030-\ud7ff-]*$/;
const PLAIN_IN_BRACKETS = /^[A-Za-z][A-Za-z0-9 ./_+-]*$/;

function scalar(text: string, plain: RegExp): string | number | boolean | undefined {
  if (/^"[^"\\]*"$/.test(text) || /^'[^']*'$/.test(text)) return text.slice(1, -1);
  if (/^(0|[1-9]\d{0,14})$/.test(text)) return Number(text);
  if (text === "true" || text === "false") return text === "true";
  if (TIMESTAMP.test(text)) return text;
  // A word that could be another type is left to the full parser.
  if (!plain.test(text)) return undefined;
  return /^(true|false|null|yes|no|on|off|y|n)$/i.test(text) ? undefined : text;
}
