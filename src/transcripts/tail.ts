import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** The complete lines at a file's end, newest first, as far as `maxBytes` reach. A line that was cut is left out. */
export function tailLines(path: string, maxBytes: number): string[] {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const length = Math.min(size, maxBytes);
    const bytes = Buffer.alloc(length);
    let done = 0;
    for (let got = -1; done < length && got !== 0; done += got) {
      got = readSync(file, bytes, done, length - done, size - length + done);
    }
    const lines = bytes.subarray(0, done).toString("utf8").split("\n");
    if (length < size) lines.shift();
    return lines.filter((line) => line !== "").reverse();
  } finally {
    closeSync(file);
  }
}
