import { systemCode } from "../../base/errors.ts";
import { setV8Flags } from "../../base/v8-flags.ts";

/** The server's process: how it stays small while its session lasts, and how it ends with its host. */

/** How soon a server ends whose host was killed, and how long unfinished work may keep it. */
const PARENT_CHECK_MS = 2_000;
const GRACE_MS = 500;

/**
 * Calls back once when this process has another parent, or its host's process has ended: its host is gone. Mostly the end
 * of stdin says so first, but not when another child of the host has inherited the other end of the pipe. On Windows the
 * number never changes, so only the end of stdin counts.
 */
export function whenOrphaned(
  onOrphaned: () => void,
  host: number,
  parent: () => number = () => process.ppid,
): () => void {
  const first = parent();
  const timer = setInterval(() => {
    if (parent() === first && isRunning(host)) return;
    clearInterval(timer);
    onOrphaned();
  }, PARENT_CHECK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Not `store/running.ts`: a host of another user, which this process may not signal, still runs. */
function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (error) {
    return systemCode(error) !== "ESRCH";
  }
}

/**
 * Ends the process soon, whatever is still under way: nobody waits for its answer any more. What is being written is safe,
 * since files are replaced in one step and a dead process's lock is taken over.
 */
export function leaveSoon(): void {
  setTimeout(() => process.exit(), GRACE_MS).unref();
}

/**
 * A server runs as long as its session and mostly waits: small is worth more than fast. Without these flags 300 calls take
 * it from 57 to 71 MB, with them to 63. The young generation keeps its first size, the old one is collected earlier, and
 * nothing is compiled twice. To be called after the start: Node's own modules come compiled, but not for these flags, and
 * would be compiled again. It does nothing outside of V8.
 */
export function preferSmall(): void {
  setV8Flags("--semi-space-growth-factor=1", "--optimize-for-size", "--no-opt");
}
