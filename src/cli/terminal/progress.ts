import type { World } from "../command.ts";

const EVERY_MS = 1000;

/** Reports progress at most once a second, so that a quick command prints none. */
export function throttled({ tell, now }: Pick<World, "tell" | "now">): (line: string) => void {
  let last = now();
  return (line) => {
    if (now() - last < EVERY_MS) return;
    last = now();
    tell?.(line);
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
