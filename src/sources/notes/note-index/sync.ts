import { join } from "node:path";
import { ContinuoError } from "../../../base/errors.ts";
import { refreshVectors } from "../../../search/vectors/refresh.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import type { Applied } from "./apply.ts";
import type { MemoryIndex } from "./memory-index.ts";
import { fileState } from "./note-files.ts";
import { noteTexts } from "./note-texts.ts";
import { SyncPass, yieldToEventLoop } from "./sync-pass.ts";

export interface SyncOptions {
  readonly signal?: AbortSignal;
  /** Stop soon after this time; the next sync continues. For hooks. */
  readonly sliceMs?: number;
  /** Whether to look for notes that were changed in place, besides the newest ones (default: true). */
  readonly isScan?: boolean;
  /**
   * Notes larger than this, in bytes, are left to a sync without this limit. A note is indexed as a whole: on a busy
   * machine a large one could take so long that the waiting agent kills the process, at every start.
   */
  readonly largest?: number;
  /** How many of the newest notes a slice always checks. */
  readonly newest?: number;
  /**
   * Remove every word of deleted and changed notes from the index file, by rewriting all segments that contain any.
   * Only without `sliceMs`.
   */
  readonly thoroughly?: boolean;
  onProgress?(result: Readonly<SyncResult>): void;
}

export interface SyncResult extends Applied {
  /** Whether this sync and the slices before it have checked every file. If not, the next one continues. */
  isComplete: boolean;
  /** Whether this sync alone has checked every file. */
  isWhole: boolean;
  /** Files that could not be read. Their index entries stay. */
  unreadable: string[];
  /** How many large notes were left to the next sync, because of `largest` or lack of time. */
  left: number;
}

export const nothingSynced = (): SyncResult => ({
  put: 0,
  removed: 0,
  same: 0,
  isComplete: true,
  isWhole: true,
  unreadable: [],
  left: 0,
});

/** Every slice checks the newest notes, besides those in changed folders: takes about a millisecond. */
const NEWEST = 100;
/** Recomputing the vectors of one part takes about this long: not started with less time left. */
const PART_MS = 30;

/**
 * Updates the index from the files. First come folders whose time changed (notes were created, moved, deleted, or saved
 * by an editor that replaces the file), then the files of all other folders (notes changed in place). A full sync
 * checks all of them; a slice continues where the previous one stopped, so that after enough slices all files are
 * checked. The remaining time is used for pending vectors. May run in several processes at once and may be stopped at
 * any point: what was written stays.
 */
export async function syncIndex(index: MemoryIndex, options: SyncOptions = {}): Promise<SyncResult> {
  const { signal, sliceMs, thoroughly = false, isScan = true, newest = NEWEST } = options;
  const result: SyncResult = nothingSynced();
  const deadline = Date.now() + (sliceMs ?? Number.POSITIVE_INFINITY);
  const pass = new SyncPass(index, result, {
    isSlice: sliceMs !== undefined,
    largest: options.largest,
    progress: () => options.onProgress?.(result),
  });
  // Every slice makes some progress, however short it is.
  const isOver = (): boolean => signal?.aborted === true || (Date.now() > deadline && pass.hasProgressed);
  const scan = isScan ? beginScan(index.db, sliceMs === undefined) : currentScan(index.db);
  const { changed, unchanged } = foldersOf(index, scan);
  let isDone = true;
  for (let folder = changed.pop(); isDone && folder !== undefined; folder = changed.pop()) {
    // Folders without notes count too, so that a slice ends even if there are only those.
    isDone = !isOver() && (await pass.syncFolder(folder, changed, isOver));
  }
  const isAllNew = sliceMs !== undefined && !isOver() && (await pass.checkNewest(newest, isOver));
  for (const folder of isScan ? unchanged : []) {
    isDone &&= !isOver() && (await pass.checkFolder(folder, isOver));
  }
  await pass.finish(scan, isOver);
  isDone &&= result.left === 0;
  result.isComplete = isDone && (!isScan || isScanComplete(index.db, scan));
  result.isWhole = isDone && (isAllNew || sliceMs === undefined);
  if (isDone) await refreshPending(index, deadline, signal);
  if (isDone && sliceMs === undefined) await optimise(index, thoroughly, signal);
  return result;
}

/** Computes pending vectors as long as there is time for another part. */
export async function refreshPending(
  index: MemoryIndex,
  deadline: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const isShort = (): boolean => signal?.aborted === true || Date.now() > deadline - PART_MS;
  if (!isShort()) await refreshVectors(index.db, index.meaning, noteTexts(index), isShort);
}

/** Takes too long for hooks. */
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
  // The write-ahead log still contains the old pages. While other processes read, it stays, and the next call truncates
  // it.
  if (thoroughly) index.db.get("PRAGMA wal_checkpoint(TRUNCATE)");
}

/** Merging leaves free pages. Later notes fill them, but after a first index there are too many. */
function shrink({ db }: MemoryIndex): void {
  const pages = db.get<{ page_count: number }>("PRAGMA page_count")?.page_count ?? 0;
  const free = db.get<{ freelist_count: number }>("PRAGMA freelist_count")?.freelist_count ?? 0;
  if (free < 250 || free * 10 < pages) return;
  try {
    db.exec("VACUUM");
  } catch (error) {
    // Another process uses the index: the next sync tries again.
    if (!(error instanceof ContinuoError) || error.code !== "index-busy") throw error;
  }
}

/**
 * The time of a folder changes when notes are created, moved, deleted or replaced, but not when they are changed in
 * place: to detect that, every file must be checked. A scan (`round` in the tables) checks all of them once, in one
 * sync or in several slices.
 */
export interface Folder {
  readonly path: string;
  /** The current time of the folder; -1 if it does not exist. */
  readonly modified: number;
  /** The last note checked by the current scan (`looked` in the tables); 0 if none was. */
  readonly checkedUpTo: number;
}

interface Row extends Folder {
  /** The last scan that checked all its notes. */
  readonly round: number;
}

const currentScan = (db: Database): number =>
  db.get<{ number: number }>("SELECT number FROM round")?.number ?? 0;

/** The number of the current scan. Starts a new one if it is complete, or if a new one is requested. */
function beginScan(db: Database, isNew: boolean): number {
  const current = currentScan(db);
  if (!isNew && !isScanComplete(db, current)) return current;
  return db.tx(() => {
    db.run("UPDATE round SET number = number + 1");
    if (isNew) db.run("UPDATE folder SET looked = 0 WHERE looked > 0");
    return currentScan(db);
  });
}

function isScanComplete(db: Database, scan: number): boolean {
  return db.get("SELECT 1 FROM folder WHERE round < ? LIMIT 1", [scan]) === undefined;
}

/**
 * The indexed folders and the root: those that changed since they were read, and unchanged ones that this scan has not
 * checked.
 */
function foldersOf({ db, files }: MemoryIndex, scan: number): { changed: Folder[]; unchanged: Folder[] } {
  const rows = db.all<Row>(
    "SELECT path, modified, round, looked AS checkedUpTo FROM folder ORDER BY looked = 0, round",
  );
  if (!rows.some(({ path }) => path === "")) rows.push({ path: "", modified: 0, round: 0, checkedUpTo: 0 });
  const changed: Folder[] = [];
  const unchanged: Folder[] = [];
  for (const { path, modified: known, round: last, checkedUpTo } of rows) {
    const now = fileState(join(files.root, path));
    if (now === "unreadable") continue;
    const modified = now === "missing" ? -1 : now.mtimeMs;
    if (modified !== known) changed.push({ path, modified, checkedUpTo });
    else if (last < scan) unchanged.push({ path, modified, checkedUpTo });
  }
  return { changed, unchanged };
}
