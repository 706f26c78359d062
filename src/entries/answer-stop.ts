import { orUndefinedAfter } from "../base/deadline.ts";
import { ContinuoError } from "../base/errors.ts";
import type { Background } from "../hosts/shared/in-process/background.ts";

/** Less than hosts wait when the agent stops (`WAIT_MS.idle`). Work of an earlier stop may be under way. */
const DECIDED_MS = 2_000;

/**
 * In a server: answers as soon as it is known whether the stop is refused, and does the rest in the background. `work` calls
 * `decided` with what is printed.
 */
export async function answerStop(
  background: Background,
  name: string,
  about: string,
  work: (signal: AbortSignal, decided: (printed: string) => void) => Promise<unknown>,
  decidedMs = DECIDED_MS,
): Promise<string> {
  let isOver = false;
  const answer = new Promise<string>((resolve) => {
    const decided = (printed: string) => {
      if (isOver && printed !== "") throw stopLate();
      resolve(printed);
    };
    background.begin(name, (signal) => work(signal, decided).finally(() => resolve("")), about);
  });
  const printed = await orUndefinedAfter(decidedMs, answer);
  isOver = true;
  return printed ?? "";
}

/** Thrown where the refusal of a stop can no longer be said: nothing is recorded as refused then. */
export function stopLate(): ContinuoError {
  return new ContinuoError("stop-late", "the agent did not wait for the answer to its stop", {
    hint: "nothing to change: the machine was busy",
  });
}
