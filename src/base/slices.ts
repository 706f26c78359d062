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
    if (performance.now() - from < sliceMs) continue;
    await new Promise((resolve) => setImmediate(resolve));
    from = performance.now();
  }
}
