import { isUtf8 } from "node:buffer";
import { closeSync, readSync } from "node:fs";
import { openFile, readAt, statFile, withFile } from "../../../store/read-file.ts";

const CHUNK_BYTES = 256 * 1024;
/**
 * Screenshots and whole requests are single lines. A line is in memory several times while it is parsed, so a longer
 * one would exceed a hook's memory limit.
 */
export const MAX_LINE_BYTES = 8 * 1024 * 1024;

export interface Line {
  /** Undefined for a line that is too long to keep. */
  readonly text: string | undefined;
  readonly offset: number;
  readonly end: number;
  /** Whether it ends with a line feed. If not, the host may still be writing it. */
  readonly isWhole: boolean;
  readonly isUtf8: boolean;
}

/** A line that is not decoded yet. Valid only until the next one is read. */
export interface ByteLine {
  readonly bytes: Buffer | undefined;
  readonly offset: number;
  readonly end: number;
  readonly isWhole: boolean;
  /** Set if reading stopped inside this line, at `end`. */
  readonly isCut?: true;
}

interface LineOptions {
  readonly from?: number | undefined;
  /** Set if `from` is inside a line that is too long: the rest of it comes first, without its bytes. */
  readonly isWithin?: boolean | undefined;
  /** Called inside lines that are too long, which may have gigabytes; returns true to stop there. */
  readonly isOver?: (() => boolean) | undefined;
  readonly chunkBytes?: number | undefined;
  readonly maxLineBytes?: number | undefined;
}

/**
 * Yields a file's lines from an offset on. Keeps at most one chunk and the longest line in memory. Reads up to the
 * file's size at opening; what is added later is read another time. Throws the file system's errors.
 */
export function* readLines(path: string, options: LineOptions = {}): Generator<Line, void, void> {
  for (const line of readByteLines(path, options)) yield decoded(line);
}

/** For callers that need only the beginnings of most lines. */
export function* readByteLines(path: string, options: LineOptions = {}): Generator<ByteLine, void, void> {
  const { chunkBytes = CHUNK_BYTES, maxLineBytes = MAX_LINE_BYTES } = options;
  const { descriptor: file, stats } = openFile(path);
  try {
    const { size } = stats;
    const isWithin = options.isWithin === true && (options.from ?? 0) <= size;
    let position = isWithin ? (options.from ?? 0) : startIn(file, size, options.from ?? 0);
    // Most histories are small, and there are thousands of them, so use a small buffer if that is enough.
    const chunk = Buffer.allocUnsafe(Math.max(1, Math.min(chunkBytes, size - position)));
    let held: Buffer[] = [];
    let heldBytes = isWithin ? Number.POSITIVE_INFINITY : 0;
    let isCut = false;
    let start = position;
    while (position < size) {
      const got = readSync(file, chunk, 0, Math.min(chunk.length, size - position), position);
      if (got === 0) break; // truncated meanwhile
      let done = 0;
      while (done < got) {
        const feed = chunk.subarray(0, got).indexOf(0x0a, done);
        const stop = feed === -1 ? got : feed;
        heldBytes += stop - done;
        if (heldBytes > maxLineBytes) held = [];
        else if (feed === -1) held.push(Buffer.from(chunk.subarray(done, stop)));
        else held.push(chunk.subarray(done, stop));
        done = stop + 1;
        if (feed === -1) break;
        const end = position + feed + 1;
        const bytes = heldBytes > maxLineBytes ? undefined : joined(held);
        held = [];
        heldBytes = 0;
        yield { bytes, offset: start, end, isWhole: true };
        start = end;
      }
      position += got;
      isCut = heldBytes > maxLineBytes && position < size && options.isOver?.() === true;
      if (isCut) break;
    }
    const bytes = heldBytes > maxLineBytes ? undefined : joined(held);
    if (heldBytes > 0 && position > start)
      yield { bytes, offset: start, end: position, isWhole: false, ...(isCut && { isCut }) };
  } finally {
    closeSync(file);
  }
}

const OVERVIEW_LINES = 200_000;
const OVERVIEW_BYTES = 64 * 1024 * 1024;

/**
 * For facts about a whole file that are needed before a part of it is read. Reads only the beginning of an unusually
 * large file.
 */
export function* readOverview(path: string): Generator<ByteLine, void, void> {
  let lines = 0;
  for (const line of readByteLines(path, { isOver: () => true })) {
    if (++lines > OVERVIEW_LINES || line.offset > OVERVIEW_BYTES) return;
    yield line;
  }
}

/** If an offset does not follow a line feed, another file has replaced the one that it belongs to. */
function startIn(file: number, size: number, from: number): number {
  if (!Number.isSafeInteger(from) || from <= 0 || from > size) return 0;
  const before = Buffer.alloc(1);
  return readSync(file, before, 0, 1, from - 1) === 1 && before[0] === 0x0a ? from : 0;
}

function joined(parts: readonly Buffer[]): Buffer {
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
}

export function decoded({ bytes, offset, end, isWhole }: ByteLine): Line {
  if (bytes === undefined) return { text: undefined, offset, end, isWhole, isUtf8: true };
  const text = bytes.toString("utf8");
  // Only invalid UTF-8 turns into this character, or a text that really contains it; both are rare.
  const fits = !text.includes("\uFFFD") || isUtf8(bytes);
  return { text: offset === 0 ? text.replace(/^\uFEFF/, "") : text, offset, end, isWhole, isUtf8: fits };
}

/** More than any conversation has; each line takes more memory than its bytes. */
const MOST_LINES = 20_000;

/** The complete lines at a file's end, newest first, within `maxBytes`. A line cut by that limit is left out. */
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

/**
 * Caches the overview of the last file that was asked about, until the file changes: a page that shows a session reads
 * it in many small parts.
 */
export function keptOverview<T>(make: (path: string) => T): (path: string) => T {
  let last: { readonly stamp: string; readonly overview: T } | undefined;
  return (path) => {
    const now = statFile(path);
    const stamp = `${now?.size} ${now?.modified} ${path}`;
    if (last?.stamp !== stamp || now === undefined) last = { stamp, overview: make(path) };
    return last.overview;
  };
}
