import { closeSync, constants, fstatSync, fsyncSync, openSync, writeSync } from "node:fs";
import { readAt, refuseOther } from "./read-file.ts";

const APPENDING =
  constants.O_RDWR |
  constants.O_APPEND |
  constants.O_CREAT |
  (constants.O_NONBLOCK ?? 0) |
  (constants.O_NOCTTY ?? 0);

/**
 * Appends whole lines to a file of ours. A writer that died or ran out of disk may have left half a line there; the next
 * one must not be glued to it. Whatever else is at that path is refused: writing into a pipe could wait for ever.
 */
export function appendLines(path: string, lines: string, { durable = false } = {}): void {
  const file = openSync(path, APPENDING, 0o600);
  try {
    const stats = fstatSync(file);
    refuseOther(path, stats);
    const isMidLine = stats.size > 0 && readAt(file, stats.size - 1, 1)[0] !== 0x0a;
    const bytes = Buffer.from(isMidLine ? `\n${lines}` : lines, "utf8");
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
    if (durable) fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
