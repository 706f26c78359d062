/** In bytes. More would use more memory without being faster (docs/design/benchmarks.md). */
const ENOUGH = 8 * 1024 * 1024;

let isBound = false;

/**
 * Reading transcripts allocates and frees hundreds of megabytes, so V8 would grow its space for young objects past 100 MB.
 * Stops that growth once the space is large enough. Called repeatedly during such work, and only in Continuo's own
 * processes, because the flag applies to the whole process. Does nothing on engines other than V8.
 */
export function boundYoungGeneration(): void {
  if (isBound || process.versions["bun"] !== undefined) return;
  // Not imported: it takes milliseconds to load, and most commands read no transcript.
  const { getHeapSpaceStatistics, setFlagsFromString } = process.getBuiltinModule("node:v8");
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space");
  if (young === undefined || young.space_size < ENOUGH) return;
  setFlagsFromString("--semi-space-growth-factor=1");
  isBound = true;
}
