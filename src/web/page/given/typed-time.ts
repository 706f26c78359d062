/** "2026-11-18 14:05:09", in local time; empty if it is not a time. */
export function localTime(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return "";
  const two = (n: number) => String(n).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** The milliseconds of a time that the user typed; without a day, on the day of `before`. */
export function timeTyped(text: string, before: string): number | undefined {
  const [, day = before.slice(0, 10), time] =
    /^(?:(\d{4}-\d\d-\d\d)[T\s]+)?(\d{1,2}:\d\d(?::\d\d)?)$/.exec(text.trim()) ?? [];
  if (time === undefined) return undefined;
  const at = new Date(`${day}T${time.padStart(time.length > 5 ? 8 : 5, "0")}`).getTime();
  return Number.isNaN(at) ? undefined : at;
}
