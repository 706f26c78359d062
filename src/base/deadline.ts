import { ContinuoError } from "./errors.ts";

/** For work that should end once its signal fires. */
export function assertAwaited(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true)
    throw new ContinuoError("not-awaited", "it took too long, and was stopped before its end");
}

/**
 * How late a timer may fire before we assume that the whole process was blocked; then the work gets this long to
 * finish.
 */
const GRACE_MS = 200;

/**
 * The result of `work`. If it takes longer than `ms` or `outer` aborts first, throws the error from `late`, or the
 * reason of `outer`. The signal asks the work to stop; if it continues anyway, its result is ignored.
 * If the timer fires late, this process or the machine was blocked, and so was the work: it then gets a grace period,
 * so that a result that is ready is not lost.
 */
export async function withDeadline<T>(
  ms: number,
  late: () => Error,
  work: (signal: AbortSignal) => Promise<T>,
  outer?: AbortSignal,
): Promise<T> {
  outer?.throwIfAborted();
  const bound = new AbortController();
  let stop: (reason: unknown) => void = () => undefined;
  const stopped = new Promise<never>((_, reject) => {
    stop = (reason) => {
      bound.abort(reason);
      reject(reason);
    };
  });
  const cancel = () => stop(outer?.reason);
  outer?.addEventListener("abort", cancel, { once: true });
  const due = Date.now() + ms;
  let timer = setTimeout(() => {
    if (Date.now() - due < GRACE_MS) stop(late());
    else timer = setTimeout(() => stop(late()), GRACE_MS);
  }, ms);
  try {
    return await Promise.race([work(bound.signal), stopped]);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener("abort", cancel);
  }
}

/** The result of `promise`, or undefined if it takes longer than `ms`. `unref`: waiting does not keep the process alive. */
export async function orUndefinedAfter<T>(
  ms: number,
  promise: Promise<T>,
  { unref = false }: { readonly unref?: boolean } = {},
): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
    if (unref) timer.unref();
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
