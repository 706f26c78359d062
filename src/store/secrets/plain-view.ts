import type { Span } from "./spans.ts";

const INVISIBLE =
  "\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0";
const HAS_INVISIBLE = new RegExp(`[${INVISIBLE}]`);
/** Between the end of one string literal and the start of the one concatenated to it. */
const JOINT = `\\\\{0,3}["'\`]\\s{0,20}(?:[+.&\\\\]|\\|\\||\\.\\.)\\s{0,40}\\\\{0,3}["'\`]`;
const HAS_JOINT = new RegExp(JOINT);
/** Escaped characters that JSON need not escape. */
const ESCAPED = "\\\\u00[2-7][0-9A-Fa-f]";
/** Encoded letters, digits, `-`, `.` and `_`, which a URL need not encode. */
const PERCENT = "%(?:5[Ff]|2[DdEe]|3[0-9]|[46][1-9A-Fa-f]|[57][0-9Aa])";
const HAS_PERCENT = new RegExp(PERCENT);
const OUT = new RegExp(`[${INVISIBLE}]+|${ESCAPED}|${PERCENT}|${JOINT}`, "g");

interface View {
  readonly text: string;
  /** Converts a span of the view to a span of the original text. */
  place(span: Span): Span;
}

/**
 * The text as a person reads it: without invisible characters, with concatenated string literals joined and needless
 * escapes decoded. Undefined if the text needs no change, as nearly always.
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
  /** Where each unchanged range begins: in the view, and in the text. */
  const begins: [view: number, text: number][] = [[0, 0]];
  let length = 0;
  let done = 0;
  for (const { index, 0: out } of text.matchAll(OUT)) {
    const code = out.startsWith("\\u00") ? out.slice(2) : out.startsWith("%") ? out.slice(1) : undefined;
    const character = code === undefined ? "" : String.fromCharCode(Number.parseInt(code, 16));
    parts.push(text.slice(done, index), character);
    length += index - done;
    if (character !== "") begins.push([length, index]);
    length += character.length;
    done = index + out.length;
    begins.push([length, done]);
  }
  if (done === 0) return undefined;
  parts.push(text.slice(done));
  const place = (at: number, isEnd: boolean): number => {
    let low = 0;
    let high = begins.length - 1;
    // The end of a span belongs to the range before it: text removed after a secret is not part of it.
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
