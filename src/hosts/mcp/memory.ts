import { setFlagsFromString } from "node:v8";

/**
 * A server runs as long as its session and mostly waits: small is worth more than fast. Without these 300 calls take it
 * from 57 to 71 MB, with them to 63. The young generation stays as it begins, the old one is cleaned earlier, and nothing
 * is compiled twice. To be called after the start: Node's own modules come compiled, but for other flags they are
 * compiled anew. Elsewhere than in V8 it does nothing.
 */
export function preferSmall(): void {
  if (process.versions["bun"] !== undefined) return;
  for (const flag of ["--semi-space-growth-factor=1", "--optimize-for-size", "--no-opt"]) {
    setFlagsFromString(flag);
  }
}
