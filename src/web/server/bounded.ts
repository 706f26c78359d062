import { ContinuoError } from "../../base/errors.ts";

export type Bounded = <T>(work: () => Promise<T>) => Promise<T>;

/** Lets a few pieces of work run at once. Others wait; if too many wait, the next is refused. */
export function bounded(most: number, mostWaiting: number): Bounded {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running < most) running++;
    else {
      if (waiting.length >= mostWaiting)
        throw new ContinuoError("git-busy", "too many questions to git are waiting", {
          hint: "try again in a moment",
        });
      // Whoever ends hands its place on.
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}

/** Processes of git that requests may start at once, in all areas. */
export const gitProcesses = bounded(4, 100);
/** Cards ask git one question after the other. */
export const cardsWithGit = bounded(2, 100);
