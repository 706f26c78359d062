import { KEYWORD, type Says, whatNameSays } from "./names.ts";
import { isRandom } from "./random.ts";
import type { Span } from "./spans.ts";
import { isPlaceholder, isSecretValue, type Stands } from "./values.ts";

const LONGEST_NAME = 48;
const LONGEST_VALUE = 4_000;

/** What stands between a name and its value. Each part is bounded, and no two of them can take the same character. */
const CONNECTED =
  /(\\{0,3}["'`])?(?:\]|\?|!)?(?:[ \t]{0,8}(:[ \t]{0,4}(?:&?(?:'static )?(?:string|str|String|Secret|SecretString|Optional\[str\]|char|text|bytes|auto|final|const))[ \t]{0,4}=|=>|:=|\?=|\|\|=|:{1,2}=|={1,3}|!={1,2}|:|%3[Dd]|%3[Aa])[ \t]{0,8}|([(,][ \t]{0,4})|[ \t]{1,4}(is|was|are|ist|to)[ \t:]{1,4}|[ \t]{1,4}(?:value=)|([ \t]{1,8}|>))/y;
const OPENS = /(?:[fbruFBRU@$L]{0,2})(\\{0,3}["'`])/y;
const BLOCK = /[|>][+-]?\d?[ \t]{0,4}\r?\n[ \t]{1,40}/y;
const SCHEME = /([A-Za-z][\w-]{1,20})[ \t]{1,4}/y;

/** Values whose name says that they are secret, in env files, YAML, JSON, TOML, code, headers, options, queries, prose. */
export function findAssigned(text: string, keywords: readonly number[], spans: Span[]): void {
  let done = 0;
  for (const at of keywords) {
    if (at < done) continue;
    KEYWORD.lastIndex = at;
    if (!KEYWORD.test(text)) continue;
    const from = nameBegin(text, at, done);
    const to = nameEnd(text, at);
    // A longer run is no name, and is passed over as a whole.
    done = to;
    if (to - from > 2 * LONGEST_NAME) continue;
    const span = assignedValue(text, from, to);
    if (span === undefined) continue;
    spans.push(span);
    // Inside of a value there are no names.
    done = Math.max(span.to, to);
  }
}

function nameBegin(text: string, at: number, least: number): number {
  let from = at;
  const last = Math.max(least, at - LONGEST_NAME);
  while (from > last && isNameCode(text.charCodeAt(from - 1))) from--;
  // The letter of an escaped line break is none of the name.
  if (from > 0 && text.charCodeAt(from - 1) === 92 && /[nrt]/.test(text.charAt(from))) from++;
  return Math.min(from, at);
}

function nameEnd(text: string, at: number): number {
  let to = at;
  const last = Math.min(text.length, at + LONGEST_NAME * 2);
  while (to < last && isNameCode(text.charCodeAt(to))) to++;
  while (to > at && text.charCodeAt(to - 1) === 46) to--;
  return to;
}

/** Letters, digits, `_`, `-`, `.` and `$`. */
function isNameCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 45 && code <= 57 && code !== 47) ||
    code === 95 ||
    code === 36
  );
}

function assignedValue(text: string, from: number, to: number): Span | undefined {
  CONNECTED.lastIndex = to;
  const connected = CONNECTED.exec(text);
  if (connected === null) return undefined;
  const [whole, quote, sign, call, word, space] = connected;
  const own = text.slice(from, to);
  const isOption = text.charCodeAt(from) === 45 || text.charCodeAt(from - 1) === 45;
  const isSpace = space !== undefined && space !== ">";
  // The commonest case, a word of prose.
  if (isSpace && !isOption && !/["'`]/.test(text.charAt(to + whole.length)) && own !== "password")
    return undefined;
  const before = text.slice(Math.max(0, from - 24), from);
  // "api key", "private key": in prose and in YAML of people a name may have two words.
  const two = /(?:^|[^A-Za-z])([A-Za-z]{2,12})[ -]$/.exec(before)?.[1];
  const says =
    whatNameSays(own) ??
    (two === undefined || !/^keys?$/i.test(own) ? undefined : whatNameSays(`${two}_${own}`));
  const isInQuery = /[?&;]$|&amp;$|\\u0026$/.test(before);
  const meaning: Says =
    says ?? (isInQuery && /^(?:sig|signature|code|sv|hmac|key)$/i.test(own) ? "token" : undefined);
  // Tests pass: "--- PASS: TestLogin".
  if (meaning === undefined || (own === "PASS" && sign === ":")) return undefined;
  const begin = to + whole.length;
  if (meaning === "header" || meaning === "cookie")
    return headerValue(text, begin, meaning, quote, sign, call, before, own);
  OPENS.lastIndex = begin;
  const opened = OPENS.exec(text);
  if (opened !== null) {
    // `("password", "value")` needs the first quotes; `password("value")` and `PASSWORD 'value'` are enough.
    if (call?.startsWith(",") && quote === undefined) return undefined;
    if (isSpace && !isOption && !/^(?:password|secret|token|auth|pass|apikey)$/i.test(own)) return undefined;
    const start = begin + opened[0].length;
    const end = closing(text, start, opened[1] as string);
    const value = text.slice(start, end);
    const isPhrase = /phrase|mnemonic/i.test(own) && /^\w{2,20}(?:[ -]\w{1,20}){3,30}$/.test(value);
    if (!isPhrase && !isSecretValue(value, "quoted", meaning === "password")) return undefined;
    return { from: start, to: end, kind: "value" };
  }
  if (call !== undefined) return undefined;
  if (isSpace && !isOption && !isLogin(text, from, own)) return undefined;
  if (space === ">" && !/[<:]$/.test(before)) return undefined;
  BLOCK.lastIndex = begin;
  const start = sign?.startsWith(":") ? begin + (BLOCK.exec(text)?.[0].length ?? 0) : begin;
  const isLiteral =
    isOption ||
    space !== undefined ||
    isInQuery ||
    (sign !== undefined && /^(?:=|%3)/.test(sign) && /^(?:=|%3[Dd])$/.test(whole.slice(quote?.length ?? 0)));
  const stands: Stands = word !== undefined ? "prose" : isLiteral ? "literal" : "bare";
  const end = bareEnd(text, start, isInQuery, stands);
  const value = text.slice(start, end);
  if (stands === "prose" && !isTold(value)) return undefined;
  if (!isSecretValue(value, isKeyword(own, stands) ? "bare" : stands, meaning === "password"))
    return undefined;
  return { from: start, to: end, kind: "value" };
}

/** `connect(password=password)`: a lower-case name with `=` may be an argument, whose value is a variable. */
function isKeyword(name: string, stands: Stands): boolean {
  return stands === "literal" && !name.startsWith("-") && name === name.toLowerCase();
}

/** In prose only what cannot be a word. */
function isTold(value: string): boolean {
  return (
    value.length >= 6 &&
    ((/\d/.test(value) && /[A-Za-z]/.test(value)) || /[!@#$%^&*=~]/.test(value.slice(0, -1)))
  );
}

/** netrc: `login someone password value`. */
function isLogin(text: string, from: number, own: string): boolean {
  return (
    own === "password" && /\blogin\s{1,8}\S{1,80}\s{1,12}$/.test(text.slice(Math.max(0, from - 120), from))
  );
}

/** Where a string literal ends: at its own quote, with as many backslashes before it as at the beginning. */
function closing(text: string, from: number, quote: string): number {
  const sign = quote.charAt(quote.length - 1);
  const depth = quote.length - 1;
  const last = Math.min(text.length, from + LONGEST_VALUE);
  for (let at = from; at < last; at++) {
    const char = text.charAt(at);
    if (char === "\n" && sign !== "`") return at;
    if (char !== sign) continue;
    let slashes = 0;
    while (at - slashes > from && text.charCodeAt(at - slashes - 1) === 92) slashes++;
    if (slashes <= depth) return at - slashes;
  }
  return last;
}

function bareEnd(text: string, from: number, isInQuery: boolean, stands: Stands): number {
  const last = Math.min(text.length, from + LONGEST_VALUE);
  // Where a text is a value of JSON itself, its own quotes and breaks are escaped.
  const stop = isInQuery
    ? /[\s"'`<>&;#,|]|\\[nrt"']/
    : stands === "literal"
      ? /[\s"'`<>]|\\[nrt"']/
      : /[\s"'`<>,;]|\\[nrt"']/;
  const window = text.slice(from, Math.min(last, from + 200));
  let length = window.search(stop);
  if (length < 0) {
    const rest = last - from <= 200 ? -1 : text.slice(from, last).search(stop);
    length = rest < 0 ? last - from : rest;
  }
  let to = from + length;
  // `Password=value;Database=…` in a connection string, `(password=value)`, a sentence's end.
  const semicolon = text.slice(from, to).search(/;[A-Za-z][\w ]{0,30}=/);
  if (semicolon >= 0) to = from + semicolon;
  const query =
    stands === "literal" && !isInQuery ? text.slice(from, to).search(/&[A-Za-z][\w.-]{0,30}=/) : -1;
  if (query >= 0) to = from + query;
  while (to > from && /[.,;:)\]}]/.test(text.charAt(to - 1))) to--;
  return to;
}

function headerValue(
  text: string,
  begin: number,
  meaning: "header" | "cookie",
  quote: string | undefined,
  sign: string | undefined,
  call: string | undefined,
  before: string,
  own: string,
): Span | undefined {
  const isOption = own.startsWith("-") || before.endsWith("-");
  if (sign === undefined && !(call?.startsWith(",") && quote !== undefined) && !isOption) return undefined;
  OPENS.lastIndex = begin;
  const opened = OPENS.exec(text);
  const start = begin + (opened?.[0].length ?? 0);
  const end = opened === null ? lineEnd(text, start) : closing(text, start, opened[1] as string);
  if (meaning === "cookie") {
    const pairs = text.slice(start, end);
    if (
      !/^[\w.%$*!-]{1,80}=/.test(pairs) ||
      !/=[^\s;=]{0,200}\d[^\s;=]{4}|=[^\s;=]{4}[^\s;=]{0,200}\d/.test(pairs)
    )
      return undefined;
    return /\$\{|<|\{\{/.test(pairs.slice(0, 80)) ? undefined : { from: start, to: end, kind: "cookie" };
  }
  SCHEME.lastIndex = start;
  const scheme = SCHEME.exec(text);
  const from = start + (scheme?.[0].length ?? 0);
  // `Digest username="…", response="…"`: quotes are within.
  const isParts = scheme !== null && /^[\w-]{1,40}=/.test(text.slice(from, from + 42));
  const last =
    isParts && opened === null
      ? from + (/^[^\r\n\\]{0,4000}/.exec(text.slice(from, from + LONGEST_VALUE))?.[0].length ?? 0)
      : end;
  const value = text.slice(from, last);
  const first = /^[^\s,"'`]{1,4000}/.exec(value)?.[0] ?? "";
  if (first.length < 6 || isPlaceholder(first) || first.includes("${") || first.includes("{{"))
    return undefined;
  if (
    !isParts &&
    !isRandom(first) &&
    !(scheme !== null && /\d|[+/=]/.test(first) && /^[\w.~+/=:-]{8,}$/.test(first))
  ) {
    if (!/^(?:basic|bearer|token)$/i.test(scheme?.[1] ?? "") || !/[A-Z].*[a-z].*[A-Z]/.test(first))
      return undefined;
  }
  return { from, to: isParts ? last : from + first.length, kind: "token" };
}

function lineEnd(text: string, from: number): number {
  const window = text.slice(from, from + LONGEST_VALUE);
  const length = window.search(/[\r\n'`]|\\[nr]|\\?"(?=\s*(?:[,}\]\\)]|-|$|\n| \\))|"(?=\s+(?:-|http))/);
  return from + (length < 0 ? window.length : length);
}
