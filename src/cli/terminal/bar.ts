import { paintFor } from "./paint.ts";
import type { Screen } from "./screen.ts";
import { clipTo, markOf, onOneLine, widthOf } from "./width.ts";

const MOST = 30;
const LEAST = 8;
/** A longer estimate, from the first of a million steps, is none. */
const UNKNOWN_S = 99 * 3600;

/**
 * `█████░░░░░ 52%, 12 s left  120 of 230 sessions read`: one line that fits the screen. Without a share, only the label. The
 * label is cut if need be.
 */
export function bar(screen: Screen, share: number | undefined, label: string, passedMs = 0): string {
  // The last column stays free: some terminals go on to the next line there.
  const width = screen.width - 1;
  const mark = markOf(screen);
  const text = onOneLine(label);
  if (share === undefined || Number.isNaN(share)) return clipTo(text, width, mark);
  const figures = howFar(share, passedMs);
  // By the screen alone: a bar that changes its length with the figures would flicker.
  const size = Math.min(MOST, Math.max(LEAST, Math.floor(screen.width / 4)));
  const full = Math.round(size * Math.min(1, Math.max(0, share)));
  const [done, open] = screen.hasUnicode ? ["█", "░"] : ["#", "."];
  const paint = paintFor(screen);
  const drawn = paint("green", done.repeat(full)) + paint("dim", open.repeat(size - full));
  const front = `${drawn} ${figures}`;
  const rest = width - widthOf(front) - 2;
  return rest < LEAST || text === "" ? front : `${front}  ${clipTo(text, rest, mark)}`;
}

/** `42%, 12 s left`: how far work is that began this many milliseconds ago. */
export function howFar(share: number, passedMs: number): string {
  const percent = `${Math.floor(100 * Math.min(1, Math.max(0, share)))}%`;
  if (!(share > 0) || share >= 1) return percent;
  const seconds = Math.ceil((passedMs * (1 - share)) / share / 1000);
  if (seconds > UNKNOWN_S) return percent;
  return `${percent}, ${timeLeft(seconds)} left`;
}

function timeLeft(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}
