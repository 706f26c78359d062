import { createPool } from "../pool.ts";
import type { Database } from "../sqlite/types.ts";
import { identityOf, isMarkedDamaged } from "./damage.ts";
import { type IndexOptions, openIndex } from "./open.ts";

/** An index that stays open between the moments of a process that lives on. */
interface Kept {
  /** The same object for every user: what is derived from an index in memory is stored under it. */
  readonly db: Database;
  readonly identity: string;
  readonly shape: string;
  /** Somebody has it. */
  isInUse: boolean;
  close(): void;
}

/** A few memory folders and past sessions, in use at the same time. */
const MOST = 6;
/** Longer than most people think about their next prompt. */
const IDLE_MS = 5 * 60_000;

const pool = createPool<Kept>({ most: MOST, idleMs: IDLE_MS, close: closeQuietly });

/**
 * As `openIndex`, followed by `make`; closing the index keeps it open for the next call. One user at a time has it, and a
 * second one opens its own. An open index sees what other processes commit. One whose file was deleted, replaced, found
 * damaged or given other tables meanwhile is opened again.
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

/** Opens an index and has `make` make its tables; `keepsOpen`: in a process that lives on. */
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
    // If the file was created or replaced meanwhile, it is not certain which one was opened: it is not kept.
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

/** SQLite keeps pages that it has read. Reading them again takes no longer than finding them there: the system has them. */
function shrink(index: Database): void {
  try {
    index.get("PRAGMA shrink_memory");
  } catch {
    // A damaged or deleted index: whoever takes it next opens another.
  }
}

function isUsable({ db, identity, shape }: Kept, path: string): boolean {
  try {
    return identityOf(path) === identity && !isMarkedDamaged(path) && shapeOf(db) === shape;
  } catch {
    return false; // opening it again finds out what is wrong, and reports it
  }
}

/** What the shape of its tables is called (`shape.ts`). */
function shapeOf(db: Database): string {
  return db.get<{ fingerprint: string }>("SELECT fingerprint FROM shape")?.fingerprint ?? "";
}

function closeQuietly({ close }: Kept): void {
  try {
    close();
  } catch {
    // A damaged or deleted index: there is nothing to save in it, and the next call opens another.
  }
}
