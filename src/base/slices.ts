/** Lets other work in this process run: requests, events, the host's own. */
export function othersFirst(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** For work in a loop: called between its pieces, it lets others run whenever `sliceMs` have passed. */
export function pauses(sliceMs = 15): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < sliceMs) return;
    await othersFirst();
    since = performance.now();
  };
}

/** Runs work that is written in steps to its end. */
export function toEnd<T>(steps: Iterator<undefined, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** The same, but lets other work in this process run whenever `sliceMs` have passed. */
export async function inSlices<T>(steps: Iterator<undefined, T>, sliceMs = 10): Promise<T> {
  for (let from = performance.now(); ; ) {
    const { done, value } = steps.next();
    if (done === true) return value;
    if (performance.now() - from < sliceMs) continue; // steps are small: not even a promise for each
    await othersFirst();
    from = performance.now();
  }
}
