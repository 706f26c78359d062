import { useEffect, useRef, useState } from "preact/hooks";
import type { WebEvent } from "../../api/events.ts";
import { type ApiFailure, api, failureOf, type Query } from "./api.ts";
import { listening, onEvent } from "./events.ts";

export interface Resource<T> {
  /** The last loaded data; kept while it is reloaded. */
  readonly data: T | undefined;
  readonly failure: ApiFailure | undefined;
  /** Nothing to show yet for longer than a moment: show a skeleton. */
  readonly isSlow: boolean;
  /** Loads it again. */
  reload(): void;
  /** Shows a change before the server has answered. */
  set(data: T): void;
}

interface Options {
  /** Which events cause a reload; a stream that could not be resumed always does. */
  readonly on?: (event: WebEvent) => boolean;
}

const SLOW_MS = 150;
/** Events often come in groups. */
const GROUP_MS = 60;

/** Loads data for a view: at first, when `key` changes, and after events. An outdated answer is dropped. */
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

/** Events that cause a reload: those of some types, or those for which this returns true. */
type On = readonly WebEvent["type"][] | ((event: WebEvent) => boolean);

/** The server's answer at an API address, for a view. Without an address nothing is requested. */
export function useGet<T>(path: string | undefined, query: Query = {}, on: On = []): Resource<T> {
  return useResource<T>(
    `${path} ${JSON.stringify(query)}`,
    (signal) => (path === undefined ? Promise.resolve(undefined as T) : api.get<T>(path, query, signal)),
    { on: typeof on === "function" ? on : ({ type }) => on.includes(type) },
  );
}

/**
 * Keeps the last loaded data of `of` while other data of the same `of` is loading, so that the layout does not jump.
 */
export function useKept<T>(resource: Resource<T>, of: string): Resource<T> {
  const kept = useRef<{ readonly of: string; readonly data: T | undefined }>(undefined);
  const data = resource.data ?? (kept.current?.of === of ? kept.current.data : undefined);
  kept.current = { of, data };
  return { ...resource, data };
}

/**
 * Calls `run` when the user returns to the page: some changes send no event, such as those on the disk or of a server
 * on another port.
 */
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
