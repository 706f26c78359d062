import { useState } from "preact/hooks";
import { type ApiFailure, failureOf } from "./api.ts";
import { notifyFailure } from "./notices.ts";

/** Does what a person asked for. If it fails, a notice begins with `failed`; resolves to undefined then. */
export async function attempt<T>(failed: string, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    notifyFailure(failed, error);
    return undefined;
  }
}

/** An action of a form: not twice at once, and its failure is shown there. */
export function useAction(): {
  readonly failure: ApiFailure | undefined;
  readonly isRunning: boolean;
  /** `failed` is called after a failure, which then is `failure`. */
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
