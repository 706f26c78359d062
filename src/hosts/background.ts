import { ContinuoError } from "../moments/errors.ts";

/** Work that no event of the host waits for: one after the other, in the order in which it was begun. */
export interface Background {
  /** Work of a name that still waits for its turn gives way to newer work of that name. */
  begin(name: string, work: (signal: AbortSignal) => Promise<unknown>): void;
  /** Waits until all is done, at most so long; what is not done then is told to stop. */
  settle(ms: number): Promise<void>;
}

export function createBackground(onTrouble: (where: string, error: unknown) => void): Background {
  const stop = new AbortController();
  const waiting = new Map<string, (signal: AbortSignal) => Promise<unknown>>();
  let running: string | undefined;
  let last: Promise<void> = Promise.resolve();

  async function take(name: string): Promise<void> {
    const work = waiting.get(name);
    waiting.delete(name);
    if (work === undefined || stop.signal.aborted) return;
    running = name;
    try {
      await work(stop.signal);
    } catch (error) {
      if (!stop.signal.aborted) onTrouble(name, error); // otherwise it only heeds the signal
    }
    running = undefined;
  }

  return {
    begin(name, work) {
      const isQueued = waiting.has(name);
      waiting.set(name, work);
      if (!isQueued) last = last.then(() => take(name));
    },
    async settle(ms) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<"late">((resolve) => {
        timer = setTimeout(resolve, ms, "late");
      });
      const how = await Promise.race([last, late]);
      clearTimeout(timer);
      if (how !== "late") return;
      const error = new ContinuoError(
        "job-late",
        `${running ?? "a job"} was not done ${ms} ms after the end`,
        {
          hint: "it was told to stop; what it did not finish is done another time",
        },
      );
      stop.abort(error);
      onTrouble(running ?? "background", error);
    },
  };
}
