import { systemCode } from "../../base/errors.ts";

const STOPPED_BY = ["SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT"] as const;
/** Error codes of a closed terminal. */
const GONE = ["EIO", "EBADF", "ENXIO", "ENOTTY"];

/**
 * Runs work that changes the terminal. `restore` runs exactly once: at the end, after an error, when the process is
 * asked to stop, and when it exits for any other reason. The work must not block, because no signal is handled during a
 * blocking read.
 */
export async function withRestored<T>(restore: () => void, work: () => Promise<T>): Promise<T> {
  let isOver = false;
  const once = () => {
    if (isOver) return;
    isOver = true;
    try {
      restore();
    } catch (error) {
      // The terminal is closed, so there is nothing to restore.
      if (!GONE.includes(systemCode(error) ?? "")) throw error;
    }
  };
  const stopped = (signal: NodeJS.Signals) => {
    once();
    forget();
    process.kill(process.pid, signal); // as if there had been no listener
  };
  const forget = () => {
    for (const signal of STOPPED_BY) process.off(signal, stopped);
    process.off("exit", once);
    process.off("uncaughtExceptionMonitor", once);
  };
  for (const signal of STOPPED_BY) process.on(signal, stopped);
  process.on("exit", once);
  // Before the error is printed, because on a changed terminal it would be unreadable.
  process.on("uncaughtExceptionMonitor", once);
  try {
    return await work();
  } finally {
    once();
    forget();
  }
}
