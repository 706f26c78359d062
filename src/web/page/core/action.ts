import { useState } from "preact/hooks";
import { type ApiFailure, failureOf } from "./api.ts";
import { notifyFailure } from "./notices.ts";

/**
 * Runs something that the user asked for. If it throws, shows a notice that begins with `failed` and returns undefined.
 */
export async function attempt<T>(failed: string, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    notifyFailure(failed, error);
    return undefined;
  }
}

/** Runs a form's action: never twice at once, and a failure is shown in the form. */
export function useAction(): {
  readonly failure: ApiFailure | undefined;
  readonly isRunning: boolean;
  /** `failed` is called after a failure, which is then in `failure`. */
  run(work: () => Promise<void>, failed?: () => void): Promise<void>;
} {
  const [failure, setFailure] = useState<ApiFailure | undefined>();
  const [isRunning, setRunning] = useState(false);
  return {
    failure,
    isRunning,
    async run(work, failed) {
      if (isRunning) return;
      setRunning(true);
      setFailure(undefined);
      try {
        await work();
      } catch (error) {
        setFailure(failureOf(error));
        failed?.();
      } finally {
        setRunning(false);
      }
    },
  };
}
