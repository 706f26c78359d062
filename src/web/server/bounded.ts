import { ContinuoError } from "../../base/errors.ts";

export type Bounded = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Limits how many pieces of work run at once. Others wait; if too many wait, further ones are refused with `refusal`.
 */
export function bounded(most: number, mostWaiting: number, refusal: () => Error): Bounded {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running < most) running++;
    else {
      if (waiting.length >= mostWaiting) throw refusal();
      // Work that ends passes its slot to the next.
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

/** Git processes that requests of all areas may run at once. */
export const gitProcesses = bounded(4, 100, gitIsBusy);
/** Cards run several git commands in sequence. */
export const cardsWithGit = bounded(2, 100, gitIsBusy);
