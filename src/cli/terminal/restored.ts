import { systemCode } from "../../base/errors.ts";

const STOPPED_BY = ["SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT"] as const;
/** Codes of a terminal that was closed. */
const GONE = ["EIO", "EBADF", "ENXIO", "ENOTTY"];

/**
 * Runs work that changes the terminal. `restore` runs exactly once: at the end, after an error, when the process is told to
 * stop, and when it exits for any other reason. While a read blocks no signal is noticed, so the work must not block.
 */
export async function withRestored<T>(restore: () => void, work: () => Promise<T>): Promise<T> {
  let isOver = false;
  const once = () => {
    if (isOver) return;
    isOver = true;
    try {
      restore();
    } catch (error) {
      // The terminal is gone: there is nothing to give back.
      if (!GONE.includes(systemCode(error) ?? "")) throw error;
    }
  };
  const stopped = (signal: NodeJS.Signals) => {
    once();
    forget();
    process.kill(process.pid, signal); // as if nobody had listened
  };
  const forget = () => {
    for (const signal of STOPPED_BY) process.off(signal, stopped);
    process.off("exit", once);
    process.off("uncaughtExceptionMonitor", once);
  };
  for (const signal of STOPPED_BY) process.on(signal, stopped);
  process.on("exit", once);
  // Before the error is printed: on a changed terminal nobody could read it.
  process.on("uncaughtExceptionMonitor", once);
  try {
    return await work();
  } finally {
    once();
    forget();
  }
}
