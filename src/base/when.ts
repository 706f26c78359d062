/** The user's local date and time, `2026-11-14 16:20`: for texts that stay in a conversation, where "2 h ago" becomes wrong. */
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

/** How long ago, for lines that are read at once: `just now`, `5 min ago`, `2 h ago`, `3 days ago`; older as a date. */
export function timeAgo(at: number, now: number): string {
  const passed = now - at;
  if (Number.isNaN(passed)) return "unknown time";
  if (passed < MINUTE) return "just now";
  if (passed < HOUR) return `${Math.floor(passed / MINUTE)} min ago`;
  if (passed < DAY) return `${Math.floor(passed / HOUR)} h ago`;
  const days = Math.floor(passed / DAY);
  if (days === 1) return "1 day ago";
  return days <= 30 ? `${days} days ago` : localTime(at).slice(0, 10);
}

/** `1 rule`, `3 rules`. */
export function count(many: number, one: string, several = `${one}s`): string {
  return `${many} ${many === 1 ? one : several}`;
}
