/**
 * The result of `work`, unless it takes longer than `ms` or `outer` aborts first: then the error from `late`, or the
 * reason of `outer`, is thrown. Work that goes on all the same is ignored; the signal it gets tells it to stop.
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
  const timer = setTimeout(() => stop(late()), ms);
  try {
    return await Promise.race([work(bound.signal), stopped]);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener("abort", cancel);
  }
}

/** What `promise` gives, or undefined when it takes longer than `ms`. `unref`: waiting does not keep the process alive. */
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
