import { join } from "node:path";
import type { Place } from "../../../moments/ports/action.ts";
import { type Memory, withMemory } from "../memory.ts";
import type { MemoryIndex } from "../note-index/memory-index.ts";
import { type SyncResult, syncIndex } from "../note-index/sync.ts";
import type { SearchQuery, SearchResult } from "../search/search.ts";

/** How an action shows its progress, and when it stops. */
export type Patience = Pick<Place, "tell" | "progress" | "signal">;

/** Opens the notes for one action, without a sync: actions that search call `syncFirst`. */
export function withNotes<T>(place: Place, work: (memory: Memory) => T | Promise<T>): Promise<T> {
  return withMemory({ ...place, syncMs: 0 }, work);
}

/**
 * How long an action may index changed notes before it searches. An empty index finds nothing, so filling it may take
 * longer.
 */
export interface SyncTime {
  readonly emptyMs: number;
  readonly usualMs: number;
  /** How many of the newest notes are checked for changes in place (default: all). */
  readonly newest?: number;
}

const FOR_PEOPLE: SyncTime = { emptyMs: 30_000, usualMs: 1000 };

/** Checking 10,000 notes takes as long as starting Node and searching them. */
const NEWEST_BEFORE_SEARCH: SyncTime = { ...FOR_PEOPLE, newest: 1000 };

/**
 * Searches notes as they are on disk. In a large store, not every note is first checked for changes in place. If the
 * answer shows that some may have changed, all are checked and the search is repeated.
 */
export async function searchFresh(
  place: Patience,
  memory: Memory,
  asked: SearchQuery,
): Promise<SearchResult> {
  // Changes from before the whole call count too, so the times of all notes must be known.
  const isWhole = await syncFirst(
    place,
    memory,
    asked.since === undefined ? NEWEST_BEFORE_SEARCH : FOR_PEOPLE,
  );
  const found = await memory.search(asked);
  if (isWhole || !found.mayBeOutdated) return found;
  await syncFirst(place, memory);
  return memory.search(asked);
}

/**
 * Indexes notes that changed on disk, within the given time. Reports if some are left. Returns whether all were
 * checked.
 */
export async function syncFirst(
  place: Patience,
  memory: Memory,
  { emptyMs, usualMs, newest }: SyncTime = FOR_PEOPLE,
): Promise<boolean> {
  const sliceMs = hasNotes(memory) ? usualMs : emptyMs;
  const onProgress = noteProgress(place, memory);
  let isBehind = false;
  let isWhole = true;
  for (const index of memory.indexes()) {
    const done = await syncIndex(index, {
      sliceMs,
      ...(newest !== undefined && { newest, isScan: false }),
      ...(place.signal && { signal: place.signal }),
      onProgress,
    });
    isBehind ||= !done.isComplete && done.put > 0;
    isWhole &&= newest === undefined || done.isWhole;
  }
  if (isBehind) place.tell?.("continuo: not all notes are indexed yet; to finish: continuo sync");
  return isWhole;
}

/** Whether any note is indexed. Counting all of them, including their concepts, takes as long as searching them. */
export function hasNotes(memory: Memory): boolean {
  return memory.indexes().some(({ db }) => db.get("SELECT 1 FROM note LIMIT 1") !== undefined);
}

/** Shown to users who have no notes yet. */
export const NO_NOTES = [
  "There are no notes yet. Write one:",
  '  continuo note "We chose SQLite for search."',
  "Or use the notes of another program:",
  "  continuo memory add FOLDER",
].join("\n");

/** Shows how many notes a sync has read. A bar needs their total, which is counted only if a bar is shown. */
export function noteProgress({ progress }: Patience, memory: Memory): (result: Readonly<SyncResult>) => void {
  const show = progress?.();
  // Each notes folder has its own result.
  const read = new Map<object, number>();
  let total: number | undefined;
  return (result) => {
    read.set(result, result.put + result.same);
    show?.(() => {
      total ??= memory.indexes().reduce((sum, index) => sum + noteFileCount(index), 0);
      const done = [...read.values()].reduce((sum, count) => sum + count, 0);
      return { share: share(done, total), label: `${done} of ${Math.max(done, total)} notes read` };
    });
  };
}

/** Undefined if the total is 0. */
export function share(done: number, total: number): number | undefined {
  return total > 0 ? Math.min(1, done / total) : undefined;
}

/** A store with more folders is not counted completely. */
const MOST_FOLDERS = 100_000;

function noteFileCount({ files }: MemoryIndex): number {
  let count = 0;
  const folders = [files.root];
  for (let seen = 0; folders.length > 0 && seen < MOST_FOLDERS; seen++) {
    const folder = folders.pop() ?? "";
    for (const entry of files.entries(folder)) {
      if (entry.isDirectory()) folders.push(join(folder, entry.name));
      else if (files.isNote(entry.name)) count++;
    }
  }
  return count;
}
