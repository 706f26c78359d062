import { useEffect, useRef, useState } from "preact/hooks";
import type { WebEvent } from "../../api/events.ts";
import { type ApiFailure, failureOf } from "./api.ts";
import { listening, onEvent } from "./events.ts";

export interface Resource<T> {
  /** What was loaded last; it stays while it is loaded again. */
  readonly data: T | undefined;
  readonly failure: ApiFailure | undefined;
  /** Nothing to show yet, for longer than a moment: show a skeleton. */
  readonly isSlow: boolean;
  /** Loads again. */
  reload(): void;
  /** Shows a change before the server has answered. */
  set(data: T): void;
}

interface Options {
  /** Loads again after events for which this is true; a stream that could not be resumed always counts. */
  readonly on?: (event: WebEvent) => boolean;
}

const SLOW_MS = 150;
/** Events often come in groups. */
const GROUP_MS = 60;

/** Loads data for a view: at first, when `key` changes, and after events. An answer that is overtaken is dropped. */
export function useResource<T>(
  key: string,
  load: (signal: AbortSignal) => Promise<T>,
  { on }: Options = {},
): Resource<T> {
  const [state, setState] = useState<{ key: string; data?: T; failure?: ApiFailure }>({ key });
  const [isSlow, setSlow] = useState(false);
  const [round, setRound] = useState(0);
  const latest = useRef({ load, on });
  latest.current = { load, on };

  useEffect(() => {
    const controller = new AbortController();
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    listening
      .then(() => {
        controller.signal.throwIfAborted();
        return latest.current.load(controller.signal);
      })
      .then(
        (data) => setState({ key, data }),
        (error: unknown) => {
          if (controller.signal.aborted) return;
          setState((before) => ({
            key,
            ...(before.key === key && before.data !== undefined && { data: before.data }),
            failure: failureOf(error),
          }));
        },
      )
      .finally(() => {
        clearTimeout(timer);
        setSlow(false);
      });
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [key, round]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onEvent((event) => {
      if (event.type !== "reset" && latest.current.on?.(event) !== true) return;
      clearTimeout(timer);
      timer = setTimeout(() => setRound((n) => n + 1), GROUP_MS);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, []);

  const isCurrent = state.key === key;
  return {
    data: isCurrent ? state.data : undefined,
    failure: isCurrent ? state.failure : undefined,
    isSlow: isSlow && (!isCurrent || state.data === undefined),
    reload: () => setRound((n) => n + 1),
    set: (data) => setState({ key, data }),
  };
}

/** Calls back when the person comes back to the page: what is on the disk or listens on a port sends no event. */
export function useReturn(run: () => void): void {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    const back = () => {
      if (document.visibilityState === "visible") latest.current();
    };
    addEventListener("focus", back);
    document.addEventListener("visibilitychange", back);
    return () => {
      removeEventListener("focus", back);
      document.removeEventListener("visibilitychange", back);
    };
  }, []);
}
