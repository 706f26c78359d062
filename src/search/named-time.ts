const NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const MILLISECONDS = { second: 1000, minute: 60_000, hour: 3_600_000 } as const;

const PERIOD = /^(this|last|past|previous) (day|week|month|year)$/;
const COUNTED =
  /^(?:(?:the )?(?:last|past) )?(an?|\d{1,6}|one|two|three|four|five|six|seven|eight|nine|ten) (second|minute|hour|day|week|month|year)s?( ago)?$/;

/**
 * When something began that people and models say in words, as milliseconds since 1970: `today`, `yesterday`, `last week`,
 * `monday`, `two days ago`, `last 3 hours`. Days are those of the user's calendar, and weeks begin on Monday. A period
 * counts from its beginning, so that `last week` has all of it. Undefined for anything else.
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
  // "3 days" alone says how long, which `7d` says too; "a week" may be anything.
  if (unit === "" || (ago === undefined && !/^(the )?(last|past) |^\d/.test(words))) return undefined;
  return earlier(unit, /^an?$/.test(many) ? 1 : NUMBERS.includes(many) ? NUMBERS.indexOf(many) : +many, now);
}

/** The beginning of this day, week, month or year, or of one before it. */
function beginning(period: string, back: number, now: number): number {
  const date = new Date(now);
  if (period === "day") return day(now, back);
  if (period === "week") return day(now, ((date.getDay() + 6) % 7) + 7 * back);
  if (period === "month") return new Date(date.getFullYear(), date.getMonth() - back, 1).getTime();
  return new Date(date.getFullYear() - back, 0, 1).getTime();
}

/** Hours and less are counted to the moment; days and more give the beginning of that day. */
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
