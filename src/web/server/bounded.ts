import { ContinuoError } from "../../base/errors.ts";

export type Bounded = <T>(work: () => Promise<T>) => Promise<T>;

/** Lets a few pieces of work run at once. Others wait; if too many wait, the next is refused with `refusal`. */
export function bounded(most: number, mostWaiting: number, refusal: () => Error): Bounded {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running < most) running++;
    else {
      if (waiting.length >= mostWaiting) throw refusal();
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

const gitIsBusy = (): Error =>
  new ContinuoError("git-busy", "too many questions to git are waiting", { hint: "try again in a moment" });

/** Processes of git that requests may start at once, in all areas. */
export const gitProcesses = bounded(4, 100, gitIsBusy);
/** Cards ask git one question after the other. */
export const cardsWithGit = bounded(2, 100, gitIsBusy);
