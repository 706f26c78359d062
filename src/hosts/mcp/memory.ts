import { setFlagsFromString } from "node:v8";

/**
 * A server runs as long as its session and mostly waits: small is worth more than fast. Without these 300 calls take it
 * from 63 to 78 MB, with them to 65. The young generation stays as it begins, the old one is cleaned earlier, and nothing
 * is compiled twice. To be called before the server's code is read; elsewhere than in V8 it does nothing.
 */
export function preferSmall(): void {
  if (process.versions["bun"] !== undefined) return;
  for (const flag of ["--semi-space-growth-factor=1", "--optimize-for-size", "--no-opt"]) {
    setFlagsFromString(flag);
  }
}
