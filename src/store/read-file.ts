import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { isSystemError, systemCode } from "../base/errors.ts";
import { wayInside } from "../base/inside.ts";

/**
 * The only place that opens a file to read it. Whoever wrote the file, or put something else at its path, must not be
 * able to make Continuo wait (a pipe, a terminal), read forever (a device), or run out of memory (a file of any size).
 */
interface ReadOptions {
  /** A larger file is refused, unless `cut` is set. */
  readonly maxBytes: number;
  /** Links may lead only to a file inside this folder. */
  readonly root?: string;
  /** Reads only the first `maxBytes` bytes of a larger file. */
  readonly cut?: boolean;
}

type Refusal = "not-a-file" | "too-large" | "outside-root";

/** Thrown for a file that exists but is refused. It looks like a system error, so that callers treat both the same. */
class RefusedFile extends Error {
  readonly code: Refusal;
  readonly syscall = "open";

  constructor(code: Refusal, message: string) {
    super(message);
    this.name = "RefusedFile";
    this.code = code;
  }
}

/** Checks the name, because a program that is bundled into several files has several copies of the class. */
export function isRefused(error: unknown): error is RefusedFile {
  return error instanceof Error && error.name === "RefusedFile";
}

export interface OpenFile {
  readonly descriptor: number;
  readonly stats: Stats;
}

const NON_BLOCKING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/**
 * Opens a regular file, of at most `maxBytes` if given. The caller closes the descriptor. Throws the system's error or
 * `RefusedFile`.
 */
export function openFile(path: string, { root, maxBytes }: Partial<ReadOptions> = {}): OpenFile {
  const real = root === undefined ? path : realInside(path, root);
  // Even opening a device can have an effect, so the path is checked first. Only the check of the descriptor is
  // reliable.
  refuseOther(path, statSync(real));
  const descriptor = openSync(
    real,
    root === undefined ? NON_BLOCKING : NON_BLOCKING | (constants.O_NOFOLLOW ?? 0),
  );
  try {
    const stats = fstatSync(descriptor);
    refuseOther(path, stats);
    if (maxBytes !== undefined && stats.size > maxBytes)
      throw new RefusedFile("too-large", `${path} has ${stats.size} bytes, more than ${maxBytes}`);
    return { descriptor, stats };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

export function withFile<T>(
  path: string,
  work: (file: OpenFile) => T,
  options: Partial<ReadOptions> = {},
): T {
  const file = openFile(path, options);
  try {
    return work(file);
  } finally {
    closeSync(file.descriptor);
  }
}

export function readBytes(path: string, { maxBytes, root, cut = false }: ReadOptions): Buffer {
  const bounds = { root, ...(cut ? {} : { maxBytes }) };
  // Up to the size at the time of opening: files below /proc have no size and could go on forever.
  return withFile(
    path,
    ({ descriptor, stats }) => readAt(descriptor, 0, Math.min(stats.size, maxBytes)),
    bounds,
  );
}

/** Decodes UTF-8; invalid bytes become U+FFFD. */
export function readText(path: string, options: ReadOptions): string {
  return readBytes(path, options).toString("utf8");
}

/** As `readText`; undefined if there is no file. Much cheaper than an error where a missing file is normal. */
export function readTextIfAny(path: string, options: ReadOptions): string | undefined {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
  try {
    return readText(path, options);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined; // removed meanwhile
    throw error;
  }
}

/** The bytes at a position; fewer at the end of the file. */
export function readAt(descriptor: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let done = 0;
  for (let got = -1; done < length && got !== 0; done += got)
    got = readSync(descriptor, bytes, done, length - done, position + done);
  return bytes.subarray(0, done);
}

function realInside(path: string, root: string): string {
  const real = realpathSync.native(path);
  if (!wayInside(realpathSync.native(root), real))
    throw new RefusedFile("outside-root", `${path} leads out of ${root}`);
  return real;
}

/** Throws if it is not a regular file. */
export function refuseOther(path: string, stats: Stats): void {
  if (!stats.isFile()) throw new RefusedFile("not-a-file", `${path} is not a regular file`);
}

/** A file's time and size; undefined if it cannot be read, for example because it was removed meanwhile. */
export function statFile(path: string): { modified: number; size: number } | undefined {
  try {
    const { mtimeMs, size } = statSync(path);
    return { modified: Math.trunc(mtimeMs), size };
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}
