import { Extents, isSpent, JUDGED, type Work } from "./extent.ts";
import { headerValue, OPENS } from "./headers.ts";
import { isWeak, KEYWORD, meaningOfName, type NameMeaning } from "./names.ts";
import type { Span } from "./spans.ts";
import {
  endOfAppPassword,
  isAppPassword,
  isNotAWord,
  isOneWord,
  isPhrase,
  isSecretValue,
  type ValueContext,
} from "./values.ts";

const LONGEST_NAME = 48;
/** `primaryKey: "id_2024abc"`: the name seldom means a secret, so the value must be at least this long. */
const LEAST_OF_WEAK = 20;

/** The name is itself a value: `name: X` before `value:` (Kubernetes, ECS), a key in a plist, a variable of Terraform. */
const NAMED_ELSEWHERE = [
  String.raw`(?:,[ \t]{0,4}|,?\r?\n[ \t]{0,40})\\{0,3}["']?value\\{0,3}["']?[ \t]{0,4}[:=]`,
  String.raw`<\/key>\s{0,40}<string>`,
  String.raw`\{\s{0,20}(?:(?:type|description|sensitive|nullable)[ \t]{0,20}=[^\n]{0,200}\n[ \t]{0,20}){0,4}default[ \t]{0,20}=`,
].join("|");

/** What may be between a name and its value. Each part is bounded, and no two parts can match the same character. */
const CONNECTED = new RegExp(
  String.raw`(\\{0,3}["'\x60])?(?:\]|\?|!)?(?:[ \t]{0,8}(${NAMED_ELSEWHERE}|(?:string|String)[ \t]{0,4}=|:[ \t]{0,4}(?:&?(?:'static )?(?:string|str|String|Secret|SecretString|Optional\[str\]|char|text|bytes|auto|final|const))[ \t]{0,4}=|=>|:=|\?=|\|\|=|:{1,2}=|={1,3}|!={1,2}|:|%3[Dd]|%3[Aa])[ \t]{0,8}|([(,][ \t]{0,4})|[ \t]{1,4}(is|was|are|ist|to|is now|should be|will be)[ \t:]{1,4}|[ \t]{1,4}(?:value=)|([ \t]{1,8}|>))`,
  "y",
);
const BLOCK = /[|>][+-]?\d?[ \t]{0,4}\r?\n[ \t]{1,40}/y;

/** Values with a secret's name: in env files, YAML, JSON, TOML, code, headers, options, queries and prose. */
export function findAssigned(text: string, keywords: readonly number[], spans: Span[], work: Work): void {
  const extents = new Extents(text, work);
  let done = 0;
  for (const at of keywords) {
    if (at < done) continue;
    KEYWORD.lastIndex = at;
    if (!KEYWORD.test(text)) continue;
    const from = nameBegin(text, at, done);
    const to = nameEnd(text, at);
    // A longer run is not a name and is skipped as a whole.
    done = to;
    if (to - from > 2 * LONGEST_NAME) continue;
    const span = assignedValue(text, from, to, extents, work);
    if (span === undefined) continue;
    spans.push(span);
    // A value contains no names.
    done = Math.max(span.to, to);
  }
}

function nameBegin(text: string, at: number, least: number): number {
  let from = at;
  const last = Math.max(least, at - LONGEST_NAME);
  while (from > last && isNameCode(text.charCodeAt(from - 1))) from--;
  // The letter of an escaped line break is not part of the name.
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

function assignedValue(
  text: string,
  from: number,
  to: number,
  extents: Extents,
  work: Work,
): Span | undefined {
  CONNECTED.lastIndex = to;
  const connected = CONNECTED.exec(text);
  if (connected === null) return undefined;
  const [whole, quote, sign, call, word, space] = connected;
  const own = text.slice(from, to);
  const isOption =
    text.charCodeAt(from) === 45 ||
    text.charCodeAt(from - 1) === 45 ||
    (space !== undefined && isSet(text, from));
  const isSpace = space !== undefined && space !== ">";
  // The most common case: a word of prose.
  if (isSpace && !isOption && !/["'`]/.test(text.charAt(to + whole.length)) && own !== "password")
    return afterWord(text, to + whole.length, own);
  const last = from === 0 ? 0 : text.charCodeAt(from - 1);
  const ownMeaning = meaningOfName(own) ?? (/^keys?$/i.test(own) ? ofTwoWords(text, from, own) : undefined);
  const isInQuery =
    last === 63 || last === 38 || last === 59 || /\\u0026$/.test(text.slice(Math.max(0, from - 6), from));
  const meaning: NameMeaning =
    ownMeaning ?? (isInQuery && /^(?:sig|signature|code|sv|hmac|key)$/i.test(own) ? "token" : undefined);
  // Test output: "--- PASS: TestLogin".
  if (meaning === undefined || (own === "PASS" && sign === ":")) return undefined;
  const begin = to + whole.length;
  if (meaning === "header" || meaning === "cookie")
    return headerValue(text, begin, meaning, { quote, sign, call, isOption }, extents, work);
  OPENS.lastIndex = begin;
  const opened = OPENS.exec(text);
  if (opened !== null) {
    // `("password", "value")` needs quotes around the name; `password("value")` and `PASSWORD 'value'` do not.
    if (call?.startsWith(",") && quote === undefined) return undefined;
    if (isSpace && !isOption && !/^(?:password|secret|token|auth|pass|apikey|psk)$/i.test(own))
      return undefined;
    const start = begin + opened[0].length;
    const end = extents.quoted(start, opened[1] as string);
    const value = judged(text, start, end, work);
    if (value === undefined) return { from: start, to: end, kind: "value" };
    const isWords =
      meaning === "password" && (sign === ":" || sign === "=" || sign === "=>") && isOneWord(value);
    if (
      !isWords &&
      !(meaning === "password" && isAppPassword(value)) &&
      !(/phrase|mnemonic/i.test(own) && isPhrase(value)) &&
      !isSecretValue(value, "quoted", meaning === "password")
    )
      return undefined;
    if (isWeak(own) && value.length < LEAST_OF_WEAK) return undefined;
    return { from: start, to: end, kind: "value" };
  }
  if (call !== undefined) return undefined;
  if (isSpace && !isOption && !isLogin(text, from, own)) return undefined;
  if (space === ">" && last !== 60 && last !== 58) return undefined;
  BLOCK.lastIndex = begin;
  const start = sign?.startsWith(":") ? begin + (BLOCK.exec(text)?.[0].length ?? 0) : begin;
  const isLiteral =
    isOption ||
    space !== undefined ||
    isInQuery ||
    (sign !== undefined && /^(?:=|%3)/.test(sign) && /^(?:=|%3[Dd])$/.test(whole.slice(quote?.length ?? 0)));
  const context: ValueContext = word !== undefined ? "prose" : isLiteral ? "literal" : "bare";
  const end =
    (meaning === "password" && sign === "=" && endOfAppPassword(text, start)) ||
    extents.bare(start, isInQuery, context);
  const value = judged(text, start, end, work);
  if (value === undefined) return { from: start, to: end, kind: "value" };
  if (context === "prose" && !isNotAWord(value)) return undefined;
  // `password !== confirmPassword2`: a comparison has a variable.
  if (sign !== undefined && /^(?:[!=]=|===)/.test(sign)) return undefined;
  if (
    (isWeak(own) || (isInQuery && ownMeaning === undefined && own === "key")) &&
    value.length < LEAST_OF_WEAK
  )
    return undefined;
  if (meaning === "password" && isAppPassword(value)) return { from: start, to: end, kind: "value" };
  if (!isSecretValue(value, isKeyword(own, context) ? "bare" : context, meaning === "password"))
    return undefined;
  return { from: start, to: end, kind: "value" };
}

/** "the Mistral key X": without `=` or `:`, the value must be something that cannot be a name. */
const RANDOM = /(?=[A-Za-z]{0,60}\d)(?=[A-Za-z0-9]{0,60}[g-zG-Z])[A-Za-z0-9]{24,200}(?![\w/.-])/y;

function afterWord(text: string, from: number, own: string): Span | undefined {
  if (!/^(?:key|token|pat|secret|password)$/i.test(own)) return undefined;
  RANDOM.lastIndex = from;
  const found = RANDOM.exec(text)?.[0];
  return found === undefined ? undefined : { from, to: from + found.length, kind: "value" };
}

/** "api key", "private key": in prose and in handwritten YAML, a name may have two words. */
function ofTwoWords(text: string, from: number, own: string): NameMeaning {
  if (!/[ -]/.test(text.charAt(from - 1))) return undefined;
  let begin = from - 1;
  while (begin > 0 && from - begin < 14 && /[A-Za-z]/.test(text.charAt(begin - 1))) begin--;
  const first = text.slice(begin, from - 1);
  return first.length >= 2 && first.length <= 12 ? meaningOfName(`${first}_${own}`) : undefined;
}

/** The part of a value to judge; undefined if the work budget is spent, and then the value counts as a secret. */
function judged(text: string, from: number, to: number, work: Work): string | undefined {
  if (isSpent(work) && to > from) return undefined;
  work.spent += Math.min(to - from, JUDGED);
  return text.slice(from, Math.min(to, from + JUDGED));
}

/** `connect(password=password)`: a lower-case name with `=` may be a keyword argument with a variable as its value. */
function isKeyword(name: string, context: ValueContext): boolean {
  return context === "literal" && !name.startsWith("-") && name === name.toLowerCase();
}

/** `ENV NAME VALUE` in a Dockerfile, `set -gx NAME VALUE` in fish, `setenv` in csh, `setx` on Windows. */
const SET = /(?:^|[\s"'`$>;&|])(?:ENV|ARG|setenv|setx|set(?: -{1,2}[a-zA-Z]{1,9}){1,4})[ \t]{1,8}$/;
const isSet = (text: string, from: number): boolean =>
  text.charAt(from - 1).trim() === "" && SET.test(text.slice(Math.max(0, from - 60), from));

/** netrc: `login someone password value`. */
function isLogin(text: string, from: number, own: string): boolean {
  return (
    own === "password" && /\blogin\s{1,8}\S{1,80}\s{1,12}$/.test(text.slice(Math.max(0, from - 120), from))
  );
}
