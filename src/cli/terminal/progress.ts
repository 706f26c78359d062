import type { World } from "../command.ts";

const EVERY_MS = 1000;

/** Tells how far something is, at most once a second: a command that is done sooner says nothing. */
export function throttled({ tell, now }: Pick<World, "tell" | "now">): (line: string) => void {
  let last = now();
  return (line) => {
    if (now() - last < EVERY_MS) return;
    last = now();
    tell?.(line);
  };
}

/** The first Ctrl-C asks the work to stop; the next one ends the process, as ever. */
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
