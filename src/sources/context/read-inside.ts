import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from "node:fs";
import { isAbsolute, relative } from "node:path";
import { systemCode } from "../../moments/errors.ts";

/** So that ten files still leave room for each other in what a host shows. */
const MAX_BYTES = 16_000;

export interface Opened {
  readonly text?: string;
  /** Why there is no text. */
  readonly why?: string;
}

/** The beginning of a text file that really lies in a folder, wherever links lead; else the reason why not. */
export function readInside(folder: string, path: string): Opened {
  try {
    const real = realpathSync(path);
    const inside = relative(realpathSync(folder), real);
    if (inside === "" || inside.startsWith("..") || isAbsolute(inside))
      return { why: "outside of the project" };
    return readBeginning(real);
  } catch (error) {
    return { why: systemCode(error) === "ENOENT" ? "not found" : `cannot be read (${systemCode(error)})` };
  }
}

function readBeginning(path: string): Opened {
  // Without waiting: to open a pipe would otherwise last until somebody writes into it.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) return { why: "not a file" };
    const bytes = Buffer.alloc(Math.min(stat.size, MAX_BYTES));
    const length = readSync(file, bytes, 0, bytes.length, 0);
    // `stream` leaves out a character that the cut went through.
    const text = new TextDecoder("utf-8").decode(bytes.subarray(0, length), { stream: true });
    if (text.includes("\u0000")) return { why: "not a text file" };
    return { text: stat.size > length ? `${text}\n(cut here: the file has ${stat.size} bytes)` : text };
  } finally {
    closeSync(file);
  }
}
