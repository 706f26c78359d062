import { statSync } from "node:fs";
import { systemCode } from "../base/errors.ts";

/** The state of a file or folder that a value was made from: how it is compared, its path, and what was found. */
export type Stamp = readonly [kind: "same" | "exists", path: string, found: string];

/** The files and folders that a value is made from. Each is named before it is read, so that no change is missed. */
export interface Basis {
  /** A file, a folder (names added, removed or replaced in it), or a path where nothing is yet: any change counts. */
  watch(...paths: readonly string[]): void;
  /** Only whether something is there counts. */
  watchExistence(...paths: readonly string[]): void;
  /** The value cannot be checked: it is not stored. */
  giveUp(): void;
  /** Undefined if the value cannot be checked later. */
  stamps(): readonly Stamp[] | undefined;
}

/** Checking this many takes a few milliseconds. */
const MAX_STAMPS = 1_000;
/**
 * A file that changed this short before it was stamped may change again without another time. Some file systems store
 * whole seconds, or every second one.
 */
const SETTLED_MS = 20;
const SETTLED_WHOLE_SECONDS_MS = 2_000;

export function createBasis(now: () => number = Date.now): Basis {
  const stamps = new Map<string, Stamp>();
  let isUsable = true;
  const add = (kind: Stamp[0], path: string): void => {
    const key = `${kind} ${path}`;
    if (!isUsable || stamps.has(key)) return;
    const { found, changedAt } = look(kind, path);
    stamps.set(key, [kind, path, found]);
    if (stamps.size > MAX_STAMPS || (changedAt !== undefined && !isSettled(changedAt, now())))
      isUsable = false;
  };
  return {
    watch(...paths) {
      for (const path of paths) add("same", path);
    },
    watchExistence(...paths) {
      for (const path of paths) add("exists", path);
    },
    giveUp: () => {
      isUsable = false;
    },
    stamps: () => (isUsable ? [...stamps.values()] : undefined),
  };
}

/** Whether the file is as it was stamped. False for anything that is no stamp. */
export function isAsStamped(stamp: unknown): boolean {
  if (!Array.isArray(stamp)) return false;
  const [kind, path, found] = stamp as readonly unknown[];
  if ((kind !== "same" && kind !== "exists") || typeof path !== "string") return false;
  return look(kind, path).found === found;
}

function look(kind: Stamp[0], path: string): { readonly found: string; readonly changedAt?: number } {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return { found: "" };
    if (kind === "exists") return { found: "yes" };
    const { mtimeMs, ctimeMs, size, ino } = stats;
    return { found: `${mtimeMs}:${ctimeMs}:${size}:${ino}`, changedAt: Math.max(mtimeMs, ctimeMs) };
  } catch (error) {
    return { found: systemCode(error) ?? "unreadable" };
  }
}

function isSettled(changedAt: number, now: number): boolean {
  const isWholeSecond = changedAt % 1000 === 0;
  return now - changedAt > (isWholeSecond ? SETTLED_WHOLE_SECONDS_MS : SETTLED_MS);
}
