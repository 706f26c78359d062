import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

/** In bytes: with more, reading histories takes more memory and is no faster (docs/benchmarks.md). */
const ENOUGH = 8 * 1024 * 1024;

let isBound = false;

/**
 * Reading histories makes and drops hundreds of megabytes, for which V8 lets its space for young objects grow past a
 * hundred. From here on it grows no further, if it is large enough: to be called again and again during such work, in
 * processes of our own, because the flag is the whole process's. Elsewhere than in V8 it does nothing.
 */
export function boundYoungGeneration(): void {
  if (isBound || process.versions["bun"] !== undefined) return;
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space");
  if (young === undefined || young.space_size < ENOUGH) return;
  setFlagsFromString("--semi-space-growth-factor=1");
  isBound = true;
}
