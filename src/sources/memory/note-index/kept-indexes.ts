import { statSync } from "node:fs";
import type { MeaningSource } from "../../../search/vectors/embed-texts.ts";
import { identityOf, isMarkedDamaged } from "../../../store/derived-index/damage.ts";
import { createPool } from "../../../store/pool.ts";
import type { MemoryRoot } from "../notes/roots.ts";
import { memoryIndexPath } from "./memory-index.ts";
import { type RootIndexes, type RootIndexesOptions, rootIndexes } from "./root-indexes.ts";

/** Indexes that stay open between the moments of a process that lives on. */
interface Kept {
  readonly indexes: RootIndexes;
  readonly paths: readonly string[];
  /** Which files were opened, and the shape of their tables. Undefined if that is not certain: then they are not kept. */
  readonly stamp: string | undefined;
  /** That of the moment which uses them. */
  meaning: MeaningSource;
}

/** A few projects with memory folders of their own, in use at the same time. */
const MOST = 4;
/** Longer than most people think about their next prompt. */
const IDLE_MS = 5 * 60_000;

const pool = createPool<Kept>({ most: MOST, idleMs: IDLE_MS, close: closeQuietly });

/**
 * As `rootIndexes`, but open already, and kept open when they are closed. An open index sees what other processes commit.
 * One whose file was deleted, replaced, found damaged or given other tables meanwhile is opened again.
 */
export function keptIndexes(roots: readonly MemoryRoot[], options: RootIndexesOptions): RootIndexes {
  const { home, busyTimeoutMs, readOnly } = options;
  const key = JSON.stringify([home.root, roots, roots.map(isFolder), busyTimeoutMs, readOnly]);
  const kept = takeUsable(key, options.meaning) ?? open(roots, options);
  let isClosed = false;
  return {
    ...kept.indexes,
    close() {
      if (isClosed) return;
      isClosed = true;
      if (kept.stamp === undefined) closeQuietly(kept);
      else pool.put(key, kept);
    },
  };
}

function takeUsable(key: string, meaning: MeaningSource): Kept | undefined {
  const kept = pool.take(key);
  if (kept === undefined) return undefined;
  if (kept.stamp === undefined || stampOf(kept) !== kept.stamp || kept.paths.some(isMarkedDamaged)) {
    closeQuietly(kept);
    return undefined;
  }
  kept.meaning = meaning;
  return kept;
}

function open(roots: readonly MemoryRoot[], options: RootIndexesOptions): Kept {
  const paths = roots.map((root) => memoryIndexPath(options.home, root));
  const before = identitiesOf(paths);
  const indexes = rootIndexes(roots, { ...options, meaning: () => kept.meaning() });
  const kept: Kept = { indexes, paths, stamp: undefined, meaning: options.meaning };
  try {
    indexes.all();
    // If a file was created or replaced meanwhile, it is not certain which one was opened.
    const stamp = stampOf(kept);
    return stamp?.startsWith(before) === true ? Object.assign(kept, { stamp }) : kept;
  } catch (error) {
    closeQuietly(kept);
    throw error;
  }
}

/** Undefined if the indexes cannot be used any more. */
function stampOf({ indexes, paths }: Kept): string | undefined {
  try {
    const shapes = indexes.all().map(({ db }) => db.get("SELECT fingerprint FROM shape"));
    return `${identitiesOf(paths)} ${JSON.stringify(shapes)}`;
  } catch {
    return undefined; // opening them again finds out what is wrong, and reports it
  }
}

function identitiesOf(paths: readonly string[]): string {
  return JSON.stringify(paths.map((path) => identityOf(path) ?? null));
}

function isFolder({ path }: MemoryRoot): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function closeQuietly({ indexes }: Kept): void {
  try {
    indexes.close();
  } catch {
    // A damaged or deleted index: there is nothing to save in it, and the next call opens another.
  }
}
