import type { World } from "../command.ts";

const EVERY_MS = 1000;

/**
 * Reports progress at most once a second, so that a quick command prints none: on a terminal one line that is rewritten,
 * elsewhere one line after the other.
 */
export function throttled(world: Pick<World, "tell" | "progress" | "now">): (line: string) => void {
  const show = onTerminal(world, (line) => world.tell?.(line));
  return (line) => show(() => line);
}

/** The same, but elsewhere silent. The line is made only if it is shown. */
export function onTerminal(
  { progress, now }: Pick<World, "progress" | "now">,
  elsewhere: (line: string) => void = () => undefined,
): (line: () => string) => void {
  let last = now();
  return (line) => {
    if (now() - last < EVERY_MS) return;
    last = now();
    const text = line();
    if (progress?.(text) !== true) elsewhere(text);
  };
}

/** `42%, 12 s left`: how far work is that began this many milliseconds ago. */
export function howFar(share: number, passedMs: number): string {
  const percent = `${Math.floor(100 * Math.min(1, share))}%`;
  if (share <= 0 || share >= 1) return percent;
  const seconds = Math.ceil((passedMs * (1 - share)) / share / 1000);
  return `${percent}, ${seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`} left`;
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
