/** How soon a server whose host was killed is gone, and how long unfinished work may keep it. */
const LOOK_MS = 2_000;
const GRACE_MS = 500;

/**
 * Calls back once when this process has got another parent: its host is gone. The end of stdin mostly says so first,
 * but not when another child of the host has inherited the other end of the pipe. On Windows the number never changes
 * and only the end of stdin counts.
 */
export function whenOrphaned(tell: () => void, parent: () => number = () => process.ppid): () => void {
  const first = parent();
  const timer = setInterval(() => {
    if (parent() === first) return;
    clearInterval(timer);
    tell();
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Ends the process soon, whatever is still under way: nobody waits for its answer any more. What is being written is
 * safe, since files are replaced in one step and a dead process's lock is taken over.
 */
export function leaveSoon(): void {
  setTimeout(() => process.exit(), GRACE_MS).unref();
}
