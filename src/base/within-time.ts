/**
 * Does some work with a model until it is done, the time is over or nobody wants it any more, also when the work itself
 * takes no notice of the signal.
 */
export async function withinTime<T>(
  ms: number,
  outer: AbortSignal | undefined,
  late: () => Error,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  outer?.throwIfAborted();
  const bound = new AbortController();
  const cancel = () => bound.abort(outer?.reason);
  outer?.addEventListener("abort", cancel, { once: true });
  const timer = setTimeout(() => bound.abort(late()), ms);
  const ended = new Promise<never>((_, reject) => {
    bound.signal.addEventListener("abort", () => reject(bound.signal.reason), { once: true });
  });
  try {
    return await Promise.race([work(bound.signal), ended]);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener("abort", cancel);
  }
}
