import type { Step } from "../../moments/ports/action.ts";
import type { World } from "../command.ts";
import { paintFor } from "./paint.ts";
import type { Screen } from "./screen.ts";
import { clipTo, markOf, onOneLine, widthOf } from "./width.ts";

/** A faster command shows no progress. */
const AFTER_MS = 1000;
/** On a terminal the line is rewritten at most this often. */
const REWRITE_MS = 100;
/** Elsewhere, as in a log, each line stays, so they are rarer. */
const LINE_MS = 5000;

type Where = Pick<World, "tell" | "progress" | "now">;

/**
 * Reports the progress of work that takes longer than a second: on a terminal one line that is rewritten, elsewhere one
 * line every few seconds.
 */
export function throttled({ progress, tell, now }: Where): (line: string) => void {
  const isDue = schedule(now);
  return (line) => {
    if (isDue("rewritten") && progress?.(line) !== true && isDue("line")) tell?.(line);
  };
}

/**
 * A bar with the remaining time, computed from the completed share. Prints nothing outside a terminal unless `isLoud`.
 */
export function progressBar(world: Where, { isLoud = true } = {}): (step: () => Step) => void {
  const begun = world.now();
  const isDue = schedule(world.now);
  return (step) => {
    if (!isDue("rewritten")) return;
    const passed = world.now() - begun;
    const { share, label } = step();
    const isShown = world.progress?.((screen) => bar(screen, share, label, passed)) === true;
    if (!isShown && isLoud && isDue("line"))
      world.tell?.(share === undefined ? label : `${label}, ${howFar(share, passed)}`);
  };
}

function schedule(now: () => number): (what: "rewritten" | "line") => boolean {
  const begun = now();
  let rewritten = begun + AFTER_MS - REWRITE_MS;
  let line = begun + AFTER_MS - LINE_MS;
  return (what) => {
    const time = now();
    if (what === "rewritten") {
      if (time - rewritten < REWRITE_MS) return false;
      rewritten = time;
    } else {
      if (time - line < LINE_MS) return false;
      line = time;
    }
    return true;
  };
}

/** The first Ctrl-C asks the work to stop; the second ends the process as usual. */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const onInterrupt = () => stop.abort();
  process.once("SIGINT", onInterrupt);
  try {
    return await work(stop.signal);
  } finally {
    process.off("SIGINT", onInterrupt);
  }
}

const MOST = 30;
const LEAST = 8;
/** A longer estimate, for example from the first of a million steps, is not shown. */
const UNKNOWN_S = 99 * 3600;

/**
 * `█████░░░░░ 52%, 12 s left  120 of 230 sessions read`: one line that fits the screen. Without a share, only the
 * label, which is cut if necessary.
 */
export function bar(screen: Screen, share: number | undefined, label: string, passedMs = 0): string {
  // The last column stays empty, because some terminals wrap there.
  const width = screen.width - 1;
  const mark = markOf(screen);
  const text = onOneLine(label);
  if (share === undefined || Number.isNaN(share)) return clipTo(text, width, mark);
  const figures = howFar(share, passedMs);
  // Depends only on the screen: a bar whose length changed with the figures would flicker.
  const size = Math.min(MOST, Math.max(LEAST, Math.floor(screen.width / 4)));
  const full = Math.round(size * Math.min(1, Math.max(0, share)));
  const [done, open] = screen.hasUnicode ? ["█", "░"] : ["#", "."];
  const paint = paintFor(screen);
  const drawn = paint("green", done.repeat(full)) + paint("dim", open.repeat(size - full));
  const front = `${drawn} ${figures}`;
  const rest = width - widthOf(front) - 2;
  return rest < LEAST || text === "" ? front : `${front}  ${clipTo(text, rest, mark)}`;
}

/** `42%, 12 s left`: the progress of work that began this many milliseconds ago. */
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
