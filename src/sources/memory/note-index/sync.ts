import { join } from "node:path";
import { ContinuoError } from "../../../base/errors.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import type { Applied } from "./apply.ts";
import type { MemoryIndex } from "./memory-index.ts";
import { lookAt } from "./note-files.ts";
import { SyncPass, yieldToEventLoop } from "./sync-pass.ts";

export interface SyncOptions {
  readonly signal?: AbortSignal;
  /** Stop soon after this time, to be continued by the next sync: a hook has little. */
  readonly sliceMs?: number;
  /**
   * Leave no word in the index's file of notes that are gone or were changed. Costs a rewrite of what they were stored
   * with. Only without `sliceMs`.
   */
  readonly thoroughly?: boolean;
  onProgress?(result: Readonly<SyncResult>): void;
}

export interface SyncResult extends Applied {
  /** Whether every file was looked at, by this sync and the slices before it; else the next one goes on. */
  isComplete: boolean;
  /** Files that could not be read; what is indexed of them stays. */
  unreadable: string[];
}

/**
 * Brings the index to what the files say. Folders whose time changed come first (notes made, moved, deleted, saved by
 * editors that replace the file), then the files of the others (notes changed in place): a whole sync looks at all of
 * them, a slice goes on where the one before stopped, so that after as many slices as they need all were looked at.
 * May run in several processes at once and be stopped at any point: what is applied stays applied.
 */
export async function syncIndex(index: MemoryIndex, options: SyncOptions = {}): Promise<SyncResult> {
  const { signal, sliceMs, thoroughly = false } = options;
  const result: SyncResult = { put: 0, removed: 0, same: 0, isComplete: true, unreadable: [] };
  const deadline = Date.now() + (sliceMs ?? Number.POSITIVE_INFINITY);
  const pass = new SyncPass(index, result, sliceMs !== undefined, () => options.onProgress?.(result));
  // Every slice does something, however short it is.
  const isOver = (): boolean => signal?.aborted === true || (Date.now() > deadline && pass.hasLooked);
  const round = beginScan(index.db, sliceMs === undefined);
  const { changed, quiet } = foldersOf(index, round);
  let isDone = true;
  for (let folder = changed.pop(); isDone && folder !== undefined; folder = changed.pop()) {
    // Folders without notes count too: a slice must end also where there are only those.
    isDone = !isOver() && (await pass.list(folder, changed, isOver));
  }
  if (sliceMs !== undefined && !isOver()) await pass.lookAtNewest(isOver);
  for (const folder of quiet) {
    isDone &&= !isOver() && (await pass.look(folder, isOver));
  }
  await pass.flush(round);
  result.isComplete = isDone && isScanComplete(index.db, round);
  if (isDone && sliceMs === undefined) await optimise(index, thoroughly, signal);
  return result;
}

/** What no hook has the time for. */
async function optimise(
  index: MemoryIndex,
  thoroughly: boolean,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (const plugin of index.plugins) {
    while (signal?.aborted !== true && plugin.optimise?.(index.db, thoroughly) === true)
      await yieldToEventLoop();
  }
  shrink(index);
  // The log of changes still has the pages as they were before. While others read, it stays: the next time cuts it.
  if (thoroughly) index.db.get("PRAGMA wal_checkpoint(TRUNCATE)");
}

/** Merging leaves free pages behind. Later notes fill them; after a first index there are too many for that. */
function shrink({ db }: MemoryIndex): void {
  const pages = db.get<{ page_count: number }>("PRAGMA page_count")?.page_count ?? 0;
  const free = db.get<{ freelist_count: number }>("PRAGMA freelist_count")?.freelist_count ?? 0;
  if (free < 250 || free * 10 < pages) return;
  try {
    db.exec("VACUUM");
  } catch (error) {
    // Somebody else is at work: the next sync tries again.
    if (!(error instanceof ContinuoError) || error.code !== "index-busy") throw error;
  }
}

/**
 * A folder's time tells of notes made, moved, deleted or replaced, not of those changed in place: to see these, every
 * file must be looked at. A round is one look at all of them, in one sync or in as many slices as it takes.
 */
export interface Folder {
  readonly path: string;
  /** Of the folder as it is now; below 0 when it is gone. */
  readonly modified: number;
  readonly looked: number;
}

interface Row extends Folder {
  readonly round: number;
}

const numberOf = (db: Database): number =>
  db.get<{ number: number }>("SELECT number FROM round")?.number ?? 0;

/** The number of the round that is under way; of a new one when it is over, or when a new one is wanted. */
export function beginScan(db: Database, isNew: boolean): number {
  const current = numberOf(db);
  if (!isNew && !isScanComplete(db, current)) return current;
  return db.tx(() => {
    db.run("UPDATE round SET number = number + 1");
    if (isNew) db.run("UPDATE folder SET looked = 0 WHERE looked > 0");
    return numberOf(db);
  });
}

export function isScanComplete(db: Database, round: number): boolean {
  return db.get("SELECT 1 FROM folder WHERE round < ? LIMIT 1", [round]) === undefined;
}

/** The folders known, and the root: those that changed since they were read, and those not looked at in this round. */
export function foldersOf({ db, files }: MemoryIndex, round: number): { changed: Folder[]; quiet: Folder[] } {
  const rows = db.all<Row>("SELECT path, modified, round, looked FROM folder ORDER BY looked = 0, round");
  if (!rows.some(({ path }) => path === "")) rows.push({ path: "", modified: 0, round: 0, looked: 0 });
  const changed: Folder[] = [];
  const quiet: Folder[] = [];
  for (const { path, modified: known, round: last, looked } of rows) {
    const now = lookAt(join(files.root, path));
    if (now === "closed") continue;
    const modified = now === "gone" ? -1 : now.mtimeMs;
    if (modified !== known) changed.push({ path, modified, looked });
    else if (last < round) quiet.push({ path, modified, looked });
  }
  return { changed, quiet };
}
