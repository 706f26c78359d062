import { readAt, withFile } from "../store/read-file.ts";

/** The complete lines at a file's end, newest first, as far as `maxBytes` reach. A line that was cut is left out. */
export function tailLines(path: string, maxBytes: number): string[] {
  return withFile(path, ({ descriptor, stats: { size } }) => {
    const length = Math.min(size, maxBytes);
    const lines = readAt(descriptor, size - length, length)
      .toString("utf8")
      .split("\n");
    if (length < size) lines.shift();
    return lines.filter((line) => line !== "").reverse();
  });
}
