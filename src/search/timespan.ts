import { ContinuoError } from "../base/errors.ts";
import { namedTime } from "./named-time.ts";

const UNITS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/**
 * Milliseconds of `24h`, `7d`, `30m`, `2w`, or of .NET's `[days.]hours:minutes[:seconds[.fraction]]`. In .NET's form a
 * number before a point means days: `24.00:00:00` is 24 days, and `24:00:00` is invalid because hours go up to 23.
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
    return Number.NaN; // callers report their own error, which also names days
  }
}
