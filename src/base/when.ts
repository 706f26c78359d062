/**
 * The user's local date and time, `2026-11-14 16:20`: for text that stays in a conversation, where "2 h ago" would
 * become wrong.
 */
export function localTime(at: number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return "unknown time";
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/**
 * How long ago something happened, for output that is read at once: `just now`, `5 min ago`, `3 h ago`, `yesterday`, `4
 * days ago`, `12 Nov`, `12 Nov 2025`, by the user's clock. `--json` has the exact time.
 */
export function ago(time: number | string | undefined, now: number): string {
  const at = typeof time === "string" ? Date.parse(time) : (time ?? Number.NaN);
  const passed = now - at;
  if (Number.isNaN(new Date(at).getTime()) || Number.isNaN(passed)) return "unknown time";
  if (passed < -MINUTE) return dayOf(at, now); // in the future: a clock was wrong, so show the recorded day
  if (passed < MINUTE) return "just now";
  if (passed < HOUR) return `${Math.floor(passed / MINUTE)} min ago`;
  const days = Math.round((midnight(now) - midnight(at)) / DAY);
  if (days === 0 || passed < 6 * HOUR) return `${Math.floor(passed / HOUR)} h ago`;
  if (days === 1) return "yesterday";
  return days < 7 ? `${days} days ago` : dayOf(at, now);
}

function dayOf(at: number, now: number): string {
  const date = new Date(at);
  const day = `${date.getDate()} ${MONTHS[date.getMonth()]}`;
  return date.getFullYear() === new Date(now).getFullYear() ? day : `${day} ${date.getFullYear()}`;
}

function midnight(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}

/** `1 rule`, `1,204 rules`. */
export function count(many: number, one: string, several = `${one}s`): string {
  return `${grouped(many)} ${many === 1 ? one : several}`;
}

/** `12,000`: a whole number with separators. `toLocaleString` would load locale tables in hooks. */
export function grouped(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}
