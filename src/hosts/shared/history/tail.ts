import { readAt, withFile } from "../../../store/read-file.ts";

/** More is no conversation: each line would take more memory than its bytes. */
const MOST_LINES = 20_000;

/** The complete lines at a file's end, newest first, as far as `maxBytes` reach. A line that was cut is left out. */
export function tailLines(path: string, maxBytes: number): string[] {
  return withFile(path, ({ descriptor, stats: { size } }) => {
    const length = Math.min(size, maxBytes);
    const bytes = readAt(descriptor, size - length, length);
    const lines: string[] = [];
    let looked = 0;
    for (let end = bytes.length; end >= 0 && ++looked <= MOST_LINES; ) {
      const feed = end === 0 ? -1 : bytes.lastIndexOf(0x0a, end - 1);
      if (feed === -1 && length < size) break;
      if (feed + 1 < end) lines.push(bytes.toString("utf8", feed + 1, end));
      end = feed;
    }
    return lines;
  });
}
