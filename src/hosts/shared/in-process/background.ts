import { orUndefinedAfter } from "../../../base/deadline.ts";
import { ContinuoError } from "../../../base/errors.ts";

/** Work that no event of the host waits for. Runs one after the other, in the order in which it was queued. */
export interface Background {
  /** Queues work. Replaces queued work with the same name and subject that has not started yet. */
  begin(name: string, work: (signal: AbortSignal) => Promise<unknown>, about?: string): void;
  /**
   * Waits until all work is done, at most this long; then stops the rest. It is a failure if that work throws or does
   * not stop. Work that returns at once has left nothing half done, and continues another time.
   */
  settle(ms: number): Promise<void>;
}

export function createBackground(onFailure: (where: string, error: unknown) => void): Background {
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
      else onFailure(name, error);
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
        hint: "it was stopped; the rest is done later",
      });
      stop.abort(error);
      if (!(await isOver(last, STOP_MS)) || hasGivenUp) onFailure(late, error);
    },
  };
}

/** How long work gets to stop. */
const STOP_MS = 250;

async function isOver(work: Promise<void>, ms: number): Promise<boolean> {
  const isDone = await orUndefinedAfter(
    ms,
    work.then(() => true),
  );
  return isDone === true;
}
