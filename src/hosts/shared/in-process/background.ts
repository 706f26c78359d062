import { orUndefinedAfter } from "../../../base/deadline.ts";
import { ContinuoError } from "../../../base/errors.ts";

/** Work that no event of the host waits for: one after the other, in the order in which it was begun. */
export interface Background {
  /** Work of a name, about one thing, that still waits for its turn gives way to newer work of that name about it. */
  begin(name: string, work: (signal: AbortSignal) => Promise<unknown>, about?: string): void;
  /**
   * Waits until all is done, at most so long; what is not done then is told to stop. That is a failure where it throws or
   * does not stop; work that returns at once has left nothing half done, and goes on another time.
   */
  settle(ms: number): Promise<void>;
}

export function createBackground(onTrouble: (where: string, error: unknown) => void): Background {
  const stop = new AbortController();
  const waiting = new Map<string, (signal: AbortSignal) => Promise<unknown>>();
  let running: string | undefined;
  let hasGivenUp = false;
  let last: Promise<void> = Promise.resolve();

  async function take(name: string, key: string): Promise<void> {
    const work = waiting.get(key);
    waiting.delete(key);
    if (work === undefined || stop.signal.aborted) return;
    running = name;
    try {
      await work(stop.signal);
    } catch (error) {
      if (stop.signal.aborted) hasGivenUp = true;
      else onTrouble(name, error);
    }
    running = undefined;
  }

  return {
    begin(name, work, about = "") {
      const key = `${name}\n${about}`;
      const isQueued = waiting.has(key);
      waiting.set(key, work);
      if (!isQueued) last = last.then(() => take(name, key));
    },
    async settle(ms) {
      if (await isOver(last, ms)) return;
      const late = running ?? "a job";
      const error = new ContinuoError("job-late", `${late} was not done ${ms} ms after the end`, {
        hint: "it was told to stop; what it did not finish is done another time",
      });
      stop.abort(error);
      if (!(await isOver(last, STOP_MS)) || hasGivenUp) onTrouble(late, error);
    },
  };
}

/** How long work may take to stop when it is told to. */
const STOP_MS = 250;

async function isOver(work: Promise<void>, ms: number): Promise<boolean> {
  const isDone = await orUndefinedAfter(
    ms,
    work.then(() => true),
  );
  return isDone === true;
}
