import { readSync } from "node:fs";
import { ContinuoError, systemCode } from "../../base/errors.ts";

const WAIT = new Int32Array(new SharedArrayBuffer(4));

/** Everything on a file descriptor as text, up to a bound. */
export function readInput(descriptor: number, maxBytes: number, name = "standard input"): string {
  const chunks: Buffer[] = [];
  let size = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(64 * 1024);
    const got = readSome(descriptor, chunk);
    if (got === 0) break;
    size += got;
    if (size > maxBytes)
      throw new ContinuoError("input-too-large", `${name} has more than ${maxBytes / 2 ** 20} MB`, {
        hint: "keep large texts as files of their own and write a note about them",
      });
    chunks.push(chunk.subarray(0, got));
  }
  const bytes = Buffer.concat(chunks);
  try {
    if (!bytes.includes(0)) return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // No UTF-8, and so no text that a note can have.
  }
  throw new ContinuoError("input-not-text", `${name} is not UTF-8 text`, {
    hint: "notes are text; convert it first",
  });
}

function readSome(descriptor: number, chunk: Buffer): number {
  for (;;) {
    try {
      return readSync(descriptor, chunk, 0, chunk.length, null);
    } catch (error) {
      if (systemCode(error) === "EOF") return 0;
      if (systemCode(error) !== "EAGAIN") throw error;
      Atomics.wait(WAIT, 0, 0, 5); // a pipe that does not block
    }
  }
}
