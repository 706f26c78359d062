import { realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

/** A file that a tool call read or edited. */
export interface FileAccess {
  readonly path: string;
  readonly access: "read" | "edit";
}

/** One file of a session's working set. */
export interface FileUse {
  /** Relative to the project with forward slashes; absolute when it lies outside. */
  readonly path: string;
  /** It was edited at least once in this session. */
  readonly edited: boolean;
  readonly at: number;
  /** Counts up with every access of the session; says how long ago this file's last one was. */
  readonly turn: number;
  /** How often it was used, where a use counts half after every `HALF_LIFE` further accesses. */
  readonly heat: number;
}

/** Fits the files that come back after a compaction best (docs/design/benchmarks.md). */
const HALF_LIFE = 40;

/** A session that touches more files than this forgets the ones it touched longest ago. */
const MAX_FILES = 5000;

/** No file has a longer path. What a tool was given may be any text, and the set is read and written at every hook. */
const MAX_PATH = 4096;

/** The set after some accesses, the most recently used file last. */
export function useFiles(
  set: readonly FileUse[],
  accesses: readonly FileAccess[],
  at: number,
): readonly FileUse[] {
  if (accesses.length === 0) return set;
  const byPath = new Map(set.map((use) => [use.path, use]));
  let turn = set.at(-1)?.turn ?? 0;
  for (const { path, access } of accesses) {
    if (path.length > MAX_PATH) continue;
    turn++;
    const before = byPath.get(path);
    byPath.delete(path); // so that it is put at the end
    byPath.set(path, {
      path,
      edited: access === "edit" || before?.edited === true,
      at,
      turn,
      heat: 1 + (before === undefined ? 0 : heatAt(before, turn)),
    });
  }
  return [...byPath.values()].slice(-MAX_FILES);
}

/** Edited before read, most recent first. */
export function rankFiles(set: readonly FileUse[]): FileUse[] {
  const recent = [...set].reverse();
  return [...recent.filter((use) => use.edited), ...recent.filter((use) => !use.edited)];
}

/** The files that a session is most likely to come back to, hottest first. */
export function hottestFiles(set: readonly FileUse[], count: number): FileUse[] {
  const now = set.at(-1)?.turn ?? 0;
  const ranked = set.map((use) => ({ use, heat: heatAt(use, now) }));
  return ranked
    .sort((a, b) => b.heat - a.heat || b.use.turn - a.use.turn)
    .slice(0, count)
    .map(({ use }) => use);
}

function heatAt(use: FileUse, turn: number): number {
  return use.heat * 0.5 ** ((turn - use.turn) / HALF_LIFE);
}

/** How a path that a tool was given is kept. */
export function projectPath(path: string, cwd: string, root: string): string {
  const absolute = isAbsolute(path) ? resolve(path) : resolve(cwd, path);
  return within(absolute, root) ?? within(realParent(absolute), root) ?? absolute.split(sep).join("/");
}

function within(path: string, root: string): string | undefined {
  const inner = relative(root, path);
  if (inner === "" || inner === ".." || inner.startsWith(`..${sep}`) || isAbsolute(inner)) return undefined;
  return inner.split(sep).join("/");
}

/** The root is a real path; a tool may have been given one through a link. The file itself may not exist yet. */
function realParent(path: string): string {
  try {
    return join(realpathSync.native(dirname(path)), basename(path));
  } catch {
    return path; // its folder does not exist either: the name is all there is
  }
}
