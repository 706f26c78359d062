import type { Span } from "./spans.ts";

const INVISIBLE =
  "\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0";
const HAS_INVISIBLE = new RegExp(`[${INVISIBLE}]`);
/** Where one string literal ends and the next begins that is joined to it. */
const JOINT = `\\\\{0,3}["'\`]\\s{0,20}(?:[+.&\\\\]|\\|\\||\\.\\.)\\s{0,40}\\\\{0,3}["'\`]`;
const HAS_JOINT = new RegExp(JOINT);
/** Letters, digits and signs that JSON need not escape. */
const ESCAPED = "\\\\u00[2-7][0-9A-Fa-f]";
/** Letters, digits, `-`, `.` and `_` that an address need not encode. */
const PERCENT = "%(?:5[Ff]|2[DdEe]|3[0-9]|[46][1-9A-Fa-f]|[57][0-9Aa])";
const HAS_PERCENT = new RegExp(PERCENT);
const OUT = new RegExp(`[${INVISIBLE}]+|${ESCAPED}|${PERCENT}|${JOINT}`, "g");

interface View {
  readonly text: string;
  /** A span of the view in the text that it was made of. */
  place(span: Span): Span;
}

/**
 * The text as it reads: without what cannot be seen, with string literals put together and needless escapes undone.
 * Undefined when that is the text itself, as nearly always.
 */
export function plainView(text: string): View | undefined {
  if (
    !HAS_INVISIBLE.test(text) &&
    !text.includes("\\u00") &&
    !HAS_JOINT.test(text) &&
    !(text.includes("%") && HAS_PERCENT.test(text))
  )
    return undefined;
  const parts: string[] = [];
  /** Beginnings of stretches that were taken over as they are: in the view, in the text. */
  const begins: [view: number, text: number][] = [[0, 0]];
  let length = 0;
  let done = 0;
  for (const { index, 0: out } of text.matchAll(OUT)) {
    const code = out.startsWith("\\u00") ? out.slice(2) : out.startsWith("%") ? out.slice(1) : undefined;
    const stands = code === undefined ? "" : String.fromCharCode(Number.parseInt(code, 16));
    parts.push(text.slice(done, index), stands);
    length += index - done;
    if (stands !== "") begins.push([length, index]);
    length += stands.length;
    done = index + out.length;
    begins.push([length, done]);
  }
  if (done === 0) return undefined;
  parts.push(text.slice(done));
  const place = (at: number, isEnd: boolean): number => {
    let low = 0;
    let high = begins.length - 1;
    // Of an end the stretch before it counts: what was taken out behind a secret is none of it.
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      const begin = begins[middle]?.[0] ?? 0;
      if (isEnd ? begin < at : begin <= at) low = middle;
      else high = middle - 1;
    }
    const [view, there] = begins[low] ?? [0, 0];
    const next = begins[low + 1];
    const place = there + at - view;
    return isEnd && next !== undefined && at === next[0] && next[0] === view + 1 ? next[1] : place;
  };
  return {
    text: parts.join(""),
    place: ({ from, to, kind }) => ({ from: place(from, false), to: place(to, true), kind }),
  };
}
