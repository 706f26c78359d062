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
