import { type Extents, isSpent, JUDGED, type Work } from "./extent.ts";
import type { Span } from "./spans.ts";
import { isPlaceholder, isRandom } from "./values.ts";

export const OPENS = /(?:[fbruFBRU@$L]{0,2})(\\{0,3}["'`])/y;
const SCHEME = /([A-Za-z][\w-]{1,20})[ \t]{1,4}/y;
const PARTS = /[^\r\n\\]{0,4000}/y;

interface Written {
  readonly quote: string | undefined;
  readonly sign: string | undefined;
  readonly call: string | undefined;
  readonly isOption: boolean;
}

/** The value of an Authorization or Cookie header, however the header is written. */
export function headerValue(
  text: string,
  begin: number,
  meaning: "header" | "cookie",
  { quote, sign, call, isOption }: Written,
  extents: Extents,
  work: Work,
): Span | undefined {
  if (sign === undefined && !(call?.startsWith(",") && quote !== undefined) && !isOption) return undefined;
  OPENS.lastIndex = begin;
  const opened = OPENS.exec(text);
  const start = begin + (opened?.[0].length ?? 0);
  const end = opened === null ? extents.line(start) : extents.quoted(start, opened[1] as string);
  if (isSpent(work) && end > start) return { from: start, to: end, kind: "token" };
  work.spent += Math.min(end - start, JUDGED);
  if (meaning === "cookie")
    return isCookie(text.slice(start, Math.min(end, start + 4 * JUDGED)))
      ? { from: start, to: end, kind: "cookie" }
      : undefined;
  SCHEME.lastIndex = start;
  const scheme = SCHEME.exec(text);
  const from = start + (scheme?.[0].length ?? 0);
  // `Digest username="…", response="…"`: the value contains quotes.
  const isParts = scheme !== null && /^[\w-]{1,40}=/.test(text.slice(from, from + 42));
  if (isParts && opened === null) {
    PARTS.lastIndex = from;
    const to = from + (PARTS.exec(text)?.[0].length ?? 0);
    work.spent += to - from;
    const first = /^[^\s,"'`]{0,300}/.exec(text.slice(from, from + JUDGED))?.[0] ?? "";
    return isNone(first) ? undefined : { from, to, kind: "token" };
  }
  const first = /^[^\s,"'`]{1,4000}/.exec(text.slice(from, end))?.[0] ?? "";
  work.spent += first.length;
  const judged = first.slice(0, JUDGED);
  if (isNone(judged)) return undefined;
  if (
    !isParts &&
    !isRandom(judged) &&
    !(scheme !== null && /\d|[+/=]/.test(judged) && /^[\w.~+/=:-]{8,}$/.test(judged))
  ) {
    if (!/^(?:basic|bearer|token)$/i.test(scheme?.[1] ?? "") || !/[A-Z].*[a-z].*[A-Z]/.test(judged))
      return undefined;
  }
  return { from, to: isParts ? end : from + first.length, kind: "token" };
}

function isNone(first: string): boolean {
  return first.length < 6 || isPlaceholder(first) || first.includes("${") || first.includes("{{");
}

/** Names of session cookies: their values may be short. */
const SESSION_NAME = /sess|sid|auth|token|jwt|csrf|xsrf|login|remember|user|uid/i;

/**
 * A setting such as `theme=dark2024` is not secret: a cookie counts only with a random value of at least twelve
 * characters, or with a session's name.
 */
function isCookie(pairs: string): boolean {
  if (!/^[\w.%$*!-]{1,80}=/.test(pairs) || /\$\{|<|\{\{/.test(pairs.slice(0, 80))) return false;
  return pairs.split(/;\s?/).some((pair) => {
    const equals = pair.indexOf("=");
    const value = pair.slice(equals + 1);
    if (equals < 0 || value.length < 5 || !/\d/.test(value)) return false;
    if (SESSION_NAME.test(pair.slice(0, equals))) return true;
    return value.length >= 12 && isRandom(value) && !/^[A-Z][a-z]{2}, \d/.test(value);
  });
}
