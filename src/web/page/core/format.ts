const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * As the command line shows it (`ago` in src/base/when.ts): "just now", "5 min ago", "3 h ago", "yesterday", "12 Nov",
 * "12 Nov 2025".
 */
export function relative(at: number, now: number): string {
  const ago = now - at;
  if (ago < MINUTE) return "just now";
  if (ago < HOUR) return `${Math.floor(ago / MINUTE)} min ago`;
  const days = Math.round((midnight(now) - midnight(at)) / DAY);
  if (days === 0 || ago < 6 * HOUR) return `${Math.floor(ago / HOUR)} h ago`;
  if (days === 1) return "yesterday";
  if (days > 1 && days < 7) return `${days} days ago`;
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return isThisYear ? shortDay(at) : `${shortDay(at)} ${new Date(at).getFullYear()}`;
}

/** "12 Nov". */
export function shortDay(at: number): string {
  return new Date(at).toLocaleDateString("en-GB", { day: "numeric", month: "short" });
}

/** The local time of day, "14:05:09". */
export function clock(at: number): string {
  return new Date(at).toLocaleTimeString("en-GB");
}

/** The day as a heading of a list: "Today", "Yesterday", "Thursday, 12 November". */
export function dayName(at: number, now: number): string {
  const days = Math.round((midnight(now) - midnight(at)) / DAY);
  if (days === 0) return "Today";
  if (days === 1) return "Yesterday";
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return new Date(at).toLocaleDateString("en-GB", {
    weekday: "long",
    day: "numeric",
    month: "long",
    ...(isThisYear ? {} : { year: "numeric" }),
  });
}

/** The exact local time, for a tooltip. */
export function exact(at: number): string {
  return new Date(at).toLocaleString("en-GB", { dateStyle: "full", timeStyle: "medium" });
}

/** "12 s", "5 min", "2 h 10 min". */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < MINUTE) return `${Math.floor(ms / 1000)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  const minutes = Math.floor((ms % HOUR) / MINUTE);
  return `${Math.floor(ms / HOUR)} h${minutes === 0 ? "" : ` ${minutes} min`}`;
}

/** How long something took: "3.4 s", "12 s", "2 min 5 s", "1 h 10 min". */
export function elapsed(ms: number): string {
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds >= 3600) return duration(ms);
  return `${Math.floor(seconds / 60)} min${seconds % 60 === 0 ? "" : ` ${seconds % 60} s`}`;
}

/** "1 file", "3 files"; large numbers with separators. */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${number(n)} ${n === 1 ? one : many}`;
}

export function number(n: number): string {
  return n.toLocaleString("en-US");
}

export function bytes(n: number): string {
  if (n < 1000) return `${n} bytes`;
  if (n < 1_000_000) return `${(n / 1000).toFixed(n < 10_000 ? 1 : 0)} kB`;
  return `${(n / 1_000_000).toFixed(n < 10_000_000 ? 1 : 0)} MB`;
}

/** With a capital first letter. */
export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function midnight(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}
