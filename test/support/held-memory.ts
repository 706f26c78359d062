import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Bytes that this process holds: objects, strings and buffers. What only waits to be collected does not count, and neither
 * does what the system has not taken back yet: both depend on how busy the machine is.
 */
export function heldMemory(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
