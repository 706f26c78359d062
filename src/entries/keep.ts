import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Script } from "node:vm";
import { namesIn } from "../store/folder.ts";
import { writeFileAtomic } from "../store/write-file.ts";
import { type CodeCache, HEADER_BYTES, isOwn, MAGIC, type Place } from "./code-cache.ts";

/** V8 copies code that is not aligned, so align it. */
const ALIGNMENT = 8;
/** Over all kinds of processes. */
const MAX_FILES = 40;
const FRESH_MS = 10_000;
const OLD_MS = 7 * 24 * 60 * 60_000;

/**
 * Writes the code of these scripts, together with cached code of others, to the first place that belongs to this user.
 */
export function keepCode(
  places: readonly Place[],
  file: string,
  scripts: ReadonlyMap<string, Script>,
  before: CodeCache | undefined,
): void {
  const place = places.find(isUsable);
  if (place === undefined || isFresh(join(place.folder, file)) || !makeRoom(place.folder, file)) return;
  const code = new Map(before?.code);
  for (const [name, script] of scripts) code.set(name, script.createCachedData());
  const copy = codeCacheBytes(code, (before?.written ?? 0) + 1);
  writeFileAtomic(join(place.folder, file), Buffer.concat([copy, copy]), { durable: false });
}

/** One copy of the file's content; the file contains two. */
export function codeCacheBytes(code: ReadonlyMap<string, Uint8Array>, written: number): Buffer {
  const sizes = [...code].map(([name, { length }]) => [name, length] as const);
  // The list contains positions, which depend on the size of the list: reserve space for the longest numbers.
  const room = aligned(JSON.stringify(sizes.map(([name]) => [name, 1e9, 1e9])).length);
  let end = HEADER_BYTES + room;
  const list = sizes.map(([name, size]) => {
    const at = end;
    end = aligned(at + size);
    return [name, at, size] as const;
  });
  const bytes = Buffer.alloc(end);
  bytes.writeUInt32LE(MAGIC, 0);
  bytes.writeUInt32LE(written, 4);
  bytes.writeUInt32LE(room, 8);
  bytes.write(JSON.stringify(list).padEnd(room), HEADER_BYTES, "latin1");
  for (const [name, at] of list) bytes.set(code.get(name) ?? [], at);
  return bytes;
}

function aligned(size: number): number {
  return Math.ceil(size / ALIGNMENT) * ALIGNMENT;
}

function isUsable({ within }: Place): boolean {
  const found = statSync(within, { throwIfNoEntry: false });
  // Whoever may write there could change the package or the home itself.
  return found?.isDirectory() === true && isOwn({ uid: found.uid, mode: found.mode & 0o022 });
}

/** Whether another hook has just written it: many hooks at once write it only once. */
function isFresh(path: string): boolean {
  const written = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return Math.abs(Date.now() - written) < FRESH_MS;
}

/**
 * Removes caches of other builds: old ones, and the oldest if there are too many. Not all of them: two installations
 * that share a home would delete each other's files again and again.
 */
function makeRoom(folder: string, file: string): boolean {
  const kept = namesIn(folder)
    .filter((name) => name !== file)
    .map((name) => {
      const path = join(folder, name);
      const modified = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
      return { path, modified, isOurs: isSameBuild(name, file) };
    });
  const others = kept.filter(({ isOurs }) => !isOurs).sort((a, b) => a.modified - b.modified);
  let tooMany = kept.length + 1 - MAX_FILES;
  for (const { path, modified } of others) {
    if (tooMany <= 0 && Date.now() - modified <= OLD_MS) break;
    rmSync(path, { recursive: true, force: true });
    tooMany--;
  }
  return tooMany <= 0;
}

function isSameBuild(one: string, other: string): boolean {
  return one.split("-", 1)[0] === other.split("-", 1)[0];
}
