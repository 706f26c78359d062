import { isAbsolute, join } from "node:path";
import { readAt, withFile } from "../store/read-file.ts";

/** Code that V8 compiled in an earlier process, by file name. */
export interface CodeCache {
  readonly code: ReadonlyMap<string, Buffer>;
  /** How often it was written. */
  readonly written: number;
  /** Whether it should be written again, with the code that this process compiles in addition. */
  readonly isDue: boolean;
}

/** The header of each copy: a magic number, how often the file was written, and the size of the list of files. */
export const MAGIC = 0x31_43_4e_43; // "CNC1"
export const HEADER_BYTES = 16;

const MAX_BYTES = 64 * 1024 * 1024;

/**
 * The first process of a kind may have run only a small part of the code. Each rewrite adds what that process compiled.
 */
const TIMES_WRITTEN = 4;
const AGAIN_AFTER_MS = 10 * 60_000;

/**
 * V8 checks a code cache's version, flags and length, but not its content: a damaged one crashes the process. A
 * checksum in JavaScript would take 3 ms, and so would loading zlib for one. So the file contains everything twice, and
 * is used only if both copies are equal. Whoever can write the file controls what is executed here, so only this user
 * may have access to it.
 */
export function readCodeCache(path: string, now: number = Date.now()): CodeCache | undefined {
  try {
    return withFile(
      path,
      ({ descriptor, stats }) => {
        if (!isOwn(stats)) return undefined;
        const size = Math.floor(stats.size / 2);
        const first = readAt(descriptor, 0, size);
        // Read separately, so that a long-running process keeps only one copy in memory.
        const second = readAt(descriptor, size, stats.size - size);
        if (!first.equals(second) || first.readUInt32LE(0) !== MAGIC) return undefined;
        const written = first.readUInt32LE(4);
        const isDue = written < TIMES_WRITTEN && Math.abs(now - stats.mtimeMs) > AGAIN_AFTER_MS;
        return { code: codeIn(first), written, isDue };
      },
      { maxBytes: MAX_BYTES },
    );
  } catch {
    return undefined; // absent, or not one of Continuo's files
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

/**
 * Whether only this user can access it. Windows has no such numbers; there the permissions of the package's or home's
 * folder decide.
 */
export function isOwn({ uid, mode }: { readonly uid: number; readonly mode: number }): boolean {
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0);
}

/** A folder for code caches, and the parent that must belong to this user before the folder is created. */
export interface Place {
  readonly folder: string;
  readonly within: string;
}

/** Beside the package, where other tools keep derived files too. If that is not this user's: below the home. */
export function placesFor(bundles: string, env: NodeJS.ProcessEnv): Place[] {
  const root = join(bundles, "..");
  const home = env["CONTINUO_HOME"] || join(env["HOME"] || env["USERPROFILE"] || "", ".continuo");
  return [
    { folder: join(root, "node_modules", ".cache", "continuo"), within: root },
    // Only if a home exists already: a command that only reads must not create one.
    ...(isAbsolute(home) ? [{ folder: join(home, "cache", "compiled"), within: join(home, "state") }] : []),
  ];
}
