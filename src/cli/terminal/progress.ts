import type { Step } from "../../moments/ports/action.ts";
import type { World } from "../command.ts";
import { bar, howFar } from "./bar.ts";

export { howFar } from "./bar.ts";

/** A quicker command shows none. */
const AFTER_MS = 1000;
/** On a terminal the line is rewritten; more often than this nobody sees. */
const REWRITE_MS = 100;
/** Elsewhere, in a log, each one stays. */
const LINE_MS = 5000;

type Where = Pick<World, "tell" | "progress" | "now">;

/**
 * Reports the progress of work that takes longer than a second: on a terminal one line that is rewritten, elsewhere one line
 * every few seconds.
 */
export function throttled(world: Where): (line: string) => void {
  const show = onTerminal(world, (line) => world.tell?.(line));
  return (line) => show(() => line);
}

/** The same, but elsewhere silent. The line is made only if it is shown. */
export function onTerminal(
  { progress, now }: Pick<World, "progress" | "now">,
  elsewhere: (line: string) => void = () => undefined,
): (line: () => string) => void {
  const isDue = schedule(now);
  return (line) => {
    if (!isDue("rewritten")) return;
    const text = line();
    if (progress?.(text) !== true && isDue("line")) elsewhere(text);
  };
}

/** A bar with the time left, from the share of the work that is done. `elsewhere` is silent unless `isLoud`. */
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
