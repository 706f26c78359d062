import { realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";
import { wayInside } from "../base/inside.ts";
import type { SessionState } from "./state/session-state.ts";
import type { FileAccess } from "./tool-use.ts";
import type { Moment, PastFiles } from "./types.ts";

/** The files that a moment touches: those of its tool call, or those mentioned in its prompt. */
export function touchedAt(moment: Moment): readonly FileAccess[] {
  if (moment.name === "tool") return moment.tool.files;
  return moment.name === "prompt" || moment.name === "start" ? (moment.mentioned ?? []) : [];
}

/**
 * How far before the session's last moment its transcript is read: a call is written there when the model makes it, but
 * its moment comes only when the call has ended.
 */
const LONG_CALL_MS = 10 * 60_000;

/**
 * Adds to the moment what Continuo may have missed: files touched and words said while the host could not reach it.
 * Leaves out files used since the call, which are already known. Known words and tool names change nothing.
 */
export function withMissed<M extends Moment>(moment: M, state: SessionState | undefined): M {
  if (moment.readPast === undefined) return moment;
  const since = (Date.parse(state?.seenAt ?? "") || 0) - LONG_CALL_MS;
  const { calls, prompts, mentioned = [] } = moment.readPast(since);
  const lastUse = new Map(state?.workingSet.map(({ path, at }) => [path, at]));
  const isNew = (path: string, at: number) => (lastUse.get(path) ?? Number.NEGATIVE_INFINITY) < at;
  const news = <T extends PastFiles>(past: T): T => ({
    ...past,
    files: past.files.filter(({ path }) => isNew(path, past.at)),
  });
  return { ...moment, missed: { calls: calls.map(news), prompts, mentioned: mentioned.map(news) } };
}

/** Touched files that are missing in the session's working set. */
export function missedFiles({ missed }: Moment): readonly PastFiles[] {
  return [...(missed?.calls ?? []), ...(missed?.mentioned ?? [])];
}

export function hasMissedFiles(moment: Moment): boolean {
  return missedFiles(moment).some(({ files }) => files.length > 0);
}

/** One file of a session's working set. */
export interface FileUse {
  /** Relative to the project with forward slashes; absolute if it is outside. */
  readonly path: string;
  /** Whether it was edited at least once in this session. */
  readonly edited: boolean;
  readonly at: number;
  /** The session's access count when this file was last used. */
  readonly turn: number;
  /** How much it is used: a use counts half as much after every `HALF_LIFE` further accesses. */
  readonly heat: number;
}

/** This value best predicts which files are used again after a compaction (docs/design/benchmarks.md). */
const HALF_LIFE = 40;

/** A session that touches more files than this forgets the least recently used ones. */
const MAX_FILES = 5000;

/** Longer than any file's path. A tool's argument may be any text, and the set is read and written at every hook. */
const MAX_PATH = 4096;

/** The set after these accesses, with the most recently used file last. */
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
    byPath.delete(path); // so that it is inserted at the end
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

/** Whether a file was used before the call whose accesses were added last. */
export function wasUsedBefore(
  set: readonly FileUse[],
  path: string,
  accesses: readonly FileAccess[],
): boolean {
  const use = set.find((one) => one.path === path);
  // A file used once has exactly this heat.
  return use !== undefined && (use.heat > 1 || accesses.every((one) => one.path !== path));
}

/** Edited files before files that were only read, each most recent first. */
export function rankFiles(set: readonly FileUse[]): FileUse[] {
  const recent = [...set].reverse();
  return [...recent.filter((use) => use.edited), ...recent.filter((use) => !use.edited)];
}

/** The files that a session will most likely use again, the most likely first. */
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

/** A tool's path in the form that the working set stores. */
export function projectPath(path: string, cwd: string, root: string): string {
  const absolute = isAbsolute(path) ? resolve(path) : resolve(cwd, path);
  return within(absolute, root) ?? within(realParent(absolute), root) ?? absolute.split(sep).join("/");
}

function within(path: string, root: string): string | undefined {
  const way = wayInside(root, path);
  return way ? way.split(sep).join("/") : undefined;
}

/** The root is a real path, but a tool's path may go through a link. The file itself may not exist yet. */
function realParent(path: string): string {
  try {
    return join(realpathSync.native(dirname(path)), basename(path));
  } catch {
    return path; // its folder does not exist either, so only the path is known
  }
}
