import { invalidSettings } from "./jsonc.ts";

/**
 * The positions of the statements in a TOML file. Parses as much as an edit of one table needs, and refuses anything
 * else: an edit based on a wrong parse could end up inside a string.
 */
export interface Statement {
  readonly kind: "table" | "list of tables" | "pair";
  /** The full path from the root, including the table of a pair. */
  readonly path: readonly string[];
  /** How many keys at the path's beginning come from the header above. */
  readonly inherited: number;
  readonly start: number;
  /** The position after the end of its line. */
  readonly end: number;
  /** A pair's value. */
  readonly value?: { readonly start: number; readonly end: number };
}

const BLANK = /[ \t]*/y;
const GAP = /(?:[ \t\r\n]|#[^\n]*)*/y;
const LINE_END = /[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/y;
const BARE_KEY = /[\w-]+/y;
export const STRING =
  /"""(?:\\[\s\S]|[^\\])*?"""(?:"{0,2})|'''[\s\S]*?'''(?:'{0,2})|"(?:[^"\\\r\n]|\\.)*"|'[^'\r\n]*'/y;
const BARE_VALUE = /[+-]?[\w.][\w.:+-]*(?: \d[\w.:+-]*)?/y;
const MAX_DEPTH = 50;

export function statementsOf(text: string): Statement[] {
  let at = 0;
  let table: readonly string[] = [];
  const found: Statement[] = [];
  for (take(GAP); at < text.length; take(GAP)) {
    const start = at;
    const brackets = take(/\[{0,2}/y).length;
    const keys = key();
    if (brackets > 0) {
      expect("]".repeat(brackets));
      table = keys;
      const kind = brackets === 1 ? "table" : "list of tables";
      found.push({ kind, path: keys, inherited: 0, start, end: lineEnd() });
      continue;
    }
    expect("=");
    take(BLANK);
    const from = at;
    value(0);
    const span = { start: from, end: at };
    const path = [...table, ...keys];
    found.push({ kind: "pair", path, inherited: table.length, start, end: lineEnd(), value: span });
  }
  return found;

  function take(pattern: RegExp): string {
    pattern.lastIndex = at;
    const [match = ""] = pattern.exec(text) ?? [];
    at += match.length;
    return match;
  }

  function expect(sign: string): void {
    take(BLANK);
    if (!text.startsWith(sign, at)) throw unclear();
    at += sign.length;
  }

  function lineEnd(): number {
    LINE_END.lastIndex = at;
    if (!LINE_END.test(text)) throw unclear();
    at = LINE_END.lastIndex;
    return at;
  }

  function key(): string[] {
    const keys: string[] = [];
    do {
      take(BLANK);
      const quoted = take(STRING);
      const bare = quoted === "" ? take(BARE_KEY) : "";
      if (quoted === "" && bare === "") throw unclear();
      keys.push(quoted === "" ? bare : textOf(quoted));
      take(BLANK);
    } while (take(/\./y) !== "");
    return keys;
  }

  function value(depth: number): void {
    if (depth > MAX_DEPTH) throw unclear();
    const open = text[at];
    if (open !== "[" && open !== "{") {
      if (take(STRING) === "" && take(BARE_VALUE) === "") throw unclear();
      return;
    }
    const close = open === "[" ? "]" : "}";
    at++;
    for (take(GAP); text[at] !== close; take(GAP)) {
      if (open === "{") {
        key();
        expect("=");
        take(GAP);
      }
      value(depth + 1);
      take(GAP);
      if (text[at] === ",") at++;
      else if (text[at] !== close) throw unclear();
    }
    at++;
  }

  function unclear(): Error {
    return invalidSettings(`is not valid TOML: error in line ${text.slice(0, at).split("\n").length}`);
  }
}

/** The strings in a value, in order. */
export function stringsIn(value: string): string[] {
  return (value.match(new RegExp(STRING.source, "g")) ?? []).map(textOf);
}

function textOf(string: string): string {
  if (string.startsWith("'")) return string.replace(/^'''\r?\n?|^'|'''$|'$/g, "");
  try {
    return String(JSON.parse(string));
  } catch {
    return string; // an escape that only TOML has, or a multi-line string: never written by Continuo
  }
}
