import { isAbsolute, join } from "node:path";
import { readAt, withFile } from "../store/read-file.ts";

/** Code that V8 compiled in an earlier process, by file name. */
export interface CodeCache {
  readonly code: ReadonlyMap<string, Buffer>;
  /** How often it was written. */
  readonly written: number;
  /** Whether it should be written again, with what this process compiles besides. */
  readonly isDue: boolean;
}

/** The beginning of each copy: a mark, how often the file was written, and the size of the list of files. */
export const MAGIC = 0x31_43_4e_43; // "CNC1"
export const HEADER_BYTES = 16;

const MAX_BYTES = 64 * 1024 * 1024;

/**
 * The first process of a kind may have run a small part of what others run. Each time the file is written again it gains
 * what that process compiled.
 */
const TIMES_WRITTEN = 4;
const AGAIN_AFTER_MS = 10 * 60_000;

/**
 * V8 checks a code cache's version, flags and length, but not its content: a damaged one crashes the process. A checksum
 * in JavaScript would cost 3 ms, and so would loading zlib for one. So everything is in the file twice, and counts only
 * if both copies are equal. Whoever can write the file decides what is run here: it must be this user's alone.
 */
export function readCodeCache(path: string, now: number = Date.now()): CodeCache | undefined {
  try {
    return withFile(
      path,
      ({ descriptor, stats }) => {
        if (!isOwn(stats)) return undefined;
        const size = Math.floor(stats.size / 2);
        const first = readAt(descriptor, 0, size);
        // Read apart: only one of them stays in the memory of a process that runs long.
        const second = readAt(descriptor, size, stats.size - size);
        if (!first.equals(second) || first.readUInt32LE(0) !== MAGIC) return undefined;
        const written = first.readUInt32LE(4);
        const isDue = written < TIMES_WRITTEN && Math.abs(now - stats.mtimeMs) > AGAIN_AFTER_MS;
        return { code: codeIn(first), written, isDue };
      },
      { maxBytes: MAX_BYTES },
    );
  } catch {
    return undefined; // there is none yet, or it is not one of Continuo's
  }
}

function codeIn(bytes: Buffer): Map<string, Buffer> {
  const end = HEADER_BYTES + bytes.readUInt32LE(8);
  const list = JSON.parse(bytes.toString("latin1", HEADER_BYTES, end)) as [
    name: string,
    at: number,
    size: number,
  ][];
  return new Map(list.map(([name, at, size]) => [name, bytes.subarray(at, at + size)]));
}

/** Windows has no such numbers; there the folder's permissions decide, which are those of the package or the home. */
export function isOwn({ uid, mode }: { readonly uid: number; readonly mode: number }): boolean {
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0);
}

/** A folder for code caches, and the folder that must be this user's before one is made there. */
export interface Place {
  readonly folder: string;
  readonly within: string;
}

/** Beside the package, where other tools keep what they derive too. Where that is not this user's: below the home. */
export function placesFor(bundles: string, env: NodeJS.ProcessEnv): Place[] {
  const root = join(bundles, "..");
  const home = env["CONTINUO_HOME"] || join(env["HOME"] || env["USERPROFILE"] || "", ".continuo");
  return [
    { folder: join(root, "node_modules", ".cache", "continuo"), within: root },
    // Nothing is written where there is no home yet: a command that only looks must not make one.
    ...(isAbsolute(home) ? [{ folder: join(home, "cache", "compiled"), within: join(home, "state") }] : []),
  ];
}
