import { writeSync } from "node:fs";
import { systemCode } from "../../base/errors.ts";

const PAUSE_MS = 1;
const WAIT = new Int32Array(new SharedArrayBuffer(4));

/**
 * Not `process.stdout`, which loads streams and, for a pipe, the network modules: several milliseconds in every
 * command.
 */
export function print(descriptor: 1 | 2, text: string): void {
  const bytes = Buffer.from(text, "utf8");
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(descriptor, bytes, done);
    } catch (error) {
      const code = systemCode(error);
      // The reader has closed the pipe: `continuo list | head`.
      if (code === "EPIPE") process.exit(0);
      if (code !== "EAGAIN") throw error;
      Atomics.wait(WAIT, 0, 0, PAUSE_MS); // a full non-blocking pipe, with a slower reader
    }
  }
}
