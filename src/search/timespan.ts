import { ContinuoError } from "../base/errors.ts";

const UNITS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/**
 * Milliseconds of `24h`, `7d`, `30m`, `2w`, or of .NET's `[days.]hours:minutes[:seconds[.fraction]]`. In .NET's form a
 * number before a point means days: `24.00:00:00` is 24 days. `24:00:00` is invalid, because hours go up to 23.
 */
export function parseTimespan(text: string): number {
  const short = /^(\d{1,9}(?:\.\d{1,9})?)\s*([smhdw])$/i.exec(text.trim());
  if (short !== null) return Number(short[1]) * (UNITS[(short[2] ?? "").toLowerCase()] ?? Number.NaN);
  const long = /^(?:(\d{1,8})\.)?(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.(\d{1,7}))?)?$/.exec(text.trim());
  const [, days = "0", hours = "0", minutes = "0", seconds = "0", fraction = "0"] = long ?? [];
  if (long === null || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) {
    throw new ContinuoError("timespan-invalid", `"${text.slice(0, 40)}" is not a time span`, {
      hint: "write 24h, 7d or 30m, or in .NET's form 1.00:00:00 for one day",
    });
  }
  const whole = ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
  return whole * 1000 + Math.round(Number(`0.${fraction}`) * 1000);
}

/** What `timeOf` accepts, for error messages. */
export const A_TIME = "a day such as 2026-11-01, yesterday or last week, or how long ago: 24h, 7d";

/**
 * Milliseconds since 1970 for a day or time (`2026-11-01`), for words (`yesterday`, `last week`), or for how long ago (`7d`).
 * Undefined for anything else.
 */
export function timeOf(text: string, now: number): number | undefined {
  const isDate = /^\d{4}-\d\d-\d\d/.test(text);
  const time = isDate ? Date.parse(text) : (namedTime(text, now) ?? now - spanOf(text));
  return Number.isNaN(time) ? undefined : time;
}

/** The same for texts that may also be in .NET's form; throws for anything else. */
export function sinceTimespan(text: string, now: number): number {
  return namedTime(text, now) ?? now - parseTimespan(text);
}

function spanOf(text: string): number {
  try {
    return parseTimespan(text);
  } catch {
    return Number.NaN; // callers report their own error, which also mentions days
  }
}

const NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const MILLISECONDS = { second: 1000, minute: 60_000, hour: 3_600_000 } as const;

const PERIOD = /^(this|last|past|previous) (day|week|month|year)$/;
const COUNTED =
  /^(?:(?:the )?(?:last|past) )?(an?|\d{1,6}|one|two|three|four|five|six|seven|eight|nine|ten) (second|minute|hour|day|week|month|year)s?( ago)?$/;

/**
 * The beginning of a time given in words, as milliseconds since 1970: `today`, `yesterday`, `last week`, `monday`, `two
 * days ago`, `last 3 hours`. Days follow the user's calendar, and weeks begin on Monday. A period counts from its
 * beginning, so that `last week` includes all of it. Undefined for anything else.
 */
export function namedTime(text: string, now: number): number | undefined {
  const words = text
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, " ")
    .replace(/^since /, "");
  if (words === "now") return now;
  if (words === "today") return day(now, 0);
  if (words === "yesterday") return day(now, 1);
  const weekday = WEEKDAYS.indexOf(words.replace(/^last /, ""));
  if (weekday >= 0) return day(now, (new Date(now).getDay() - weekday + 7) % 7 || 7);
  const [, which, period = ""] = PERIOD.exec(words) ?? [];
  if (which !== undefined) return beginning(period, which === "this" ? 0 : 1, now);
  const [, many = "", unit = "", ago] = COUNTED.exec(words) ?? [];
  // "3 days" alone is a duration, which `7d` covers; "a week" may mean anything.
  if (unit === "" || (ago === undefined && !/^(the )?(last|past) |^\d/.test(words))) return undefined;
  return earlier(unit, /^an?$/.test(many) ? 1 : NUMBERS.includes(many) ? NUMBERS.indexOf(many) : +many, now);
}

/** The beginning of this day, week, month or year, or of the one `back` periods earlier. */
function beginning(period: string, back: number, now: number): number {
  const date = new Date(now);
  if (period === "day") return day(now, back);
  if (period === "week") return day(now, ((date.getDay() + 6) % 7) + 7 * back);
  if (period === "month") return new Date(date.getFullYear(), date.getMonth() - back, 1).getTime();
  return new Date(date.getFullYear() - back, 0, 1).getTime();
}

/** Hours and shorter units are exact; days and longer ones give the beginning of that day. */
function earlier(unit: string, many: number, now: number): number | undefined {
  if (unit in MILLISECONDS) return now - many * MILLISECONDS[unit as keyof typeof MILLISECONDS];
  if (unit === "day" || unit === "week") return day(now, unit === "day" ? many : 7 * many);
  const date = new Date(now);
  const month = date.getMonth() - (unit === "month" ? many : 12 * many);
  // A month before 31 March is the last day of February.
  const lastDay = new Date(date.getFullYear(), month + 1, 0).getDate();
  const time = new Date(date.getFullYear(), month, Math.min(date.getDate(), lastDay)).getTime();
  return Number.isNaN(time) ? undefined : time;
}

/** The beginning of the day, this many days ago. */
function day(now: number, ago: number): number {
  const date = new Date(now);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() - ago).getTime();
}
