/** Yields to other work in this process: requests, events, the host's own. */
export function othersFirst(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Returns a function for loops to call between steps: it yields to other work whenever `sliceMs` have passed. */
export function pauses(sliceMs = 15): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < sliceMs) return;
    await othersFirst();
    since = performance.now();
  };
}

/** Runs work that is split into steps to its end. */
export function toEnd<T>(steps: Iterator<undefined, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** As `toEnd`, but yields to other work in this process whenever `sliceMs` have passed. */
export async function inSlices<T>(steps: Iterator<undefined, T>, sliceMs = 10): Promise<T> {
  for (let from = performance.now(); ; ) {
    const { done, value } = steps.next();
    if (done === true) return value;
    if (performance.now() - from < sliceMs) continue; // steps are small: even a promise per step would cost too much
    await othersFirst();
    from = performance.now();
  }
}
