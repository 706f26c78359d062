import { createPool } from "../pool.ts";
import type { Database } from "../sqlite/types.ts";
import { identityOf, isMarkedDamaged } from "./damage.ts";
import { type IndexOptions, openIndex } from "./open.ts";

/** An index that a long-running process keeps open between moments. */
interface Kept {
  /** The same object for every user, because in-memory data derived from the index is cached under it. */
  readonly db: Database;
  readonly identity: string;
  readonly shape: string;
  /** Whether someone is using it. */
  isInUse: boolean;
  close(): void;
}

/** Enough for a few notes folders and past sessions at the same time. */
const MOST = 6;
/** Longer than most people think about their next prompt. */
const IDLE_MS = 5 * 60_000;

const pool = createPool<Kept>({ most: MOST, idleMs: IDLE_MS, close: closeQuietly });

/**
 * As `openIndex`, followed by `make`; closing the index keeps it open for the next call. It has one user at a time, and
 * a second user opens another. An open index sees what other processes commit. If its file was deleted, replaced, found
 * damaged or given other tables meanwhile, it is opened again.
 */
function openKeptIndex(options: IndexOptions, make: (db: Database) => void): Database {
  const { path, busyTimeoutMs } = options;
  const key = JSON.stringify([path, busyTimeoutMs]);
  const kept = pool.take(key);
  if (kept !== undefined) {
    if (isUsable(kept, path)) {
      kept.isInUse = true;
      return kept.db;
    }
    closeQuietly(kept);
  }
  return opened(options, make, key);
}

/** Opens an index and lets `make` create its tables. `keepsOpen`: in a long-running process. */
export function openIndexWith(
  options: IndexOptions,
  make: (db: Database) => void,
  keepsOpen: boolean,
): Database {
  if (keepsOpen) return openKeptIndex(options, make);
  const db = openIndex(options);
  make(db);
  return db;
}

function opened(options: IndexOptions, make: (db: Database) => void, key: string): Database {
  const before = identityOf(options.path);
  const index = openIndex(options);
  try {
    make(index);
    const identity = identityOf(options.path);
    // If the file was created or replaced meanwhile, it is uncertain which one was opened, so it is not kept.
    if (identity === undefined || identity !== before) return index;
    const shape = shapeOf(index);
    const putBack = () => {
      if (!kept.isInUse) return;
      kept.isInUse = false;
      shrink(index);
      pool.put(key, kept);
    };
    const kept: Kept = {
      db: { ...index, close: putBack },
      identity,
      shape,
      isInUse: true,
      close: index.close,
    };
    return kept.db;
  } catch (error) {
    index.close();
    throw error;
  }
}

/** Frees SQLite's page cache. Reading the pages again is as fast, because the system caches them. */
function shrink(index: Database): void {
  try {
    index.get("PRAGMA shrink_memory");
  } catch {
    // The index is damaged or deleted: its next user opens another.
  }
}

function isUsable({ db, identity, shape }: Kept, path: string): boolean {
  try {
    return identityOf(path) === identity && !isMarkedDamaged(path) && shapeOf(db) === shape;
  } catch {
    return false; // reopening it finds out what is wrong, and reports it
  }
}

/** The fingerprint of its tables (`shape.ts`). */
function shapeOf(db: Database): string {
  return db.get<{ fingerprint: string }>("SELECT fingerprint FROM shape")?.fingerprint ?? "";
}

function closeQuietly({ close }: Kept): void {
  try {
    close();
  } catch {
    // The index is damaged or deleted: nothing to save, and the next call opens another.
  }
}
