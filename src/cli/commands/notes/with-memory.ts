import { type Memory, openMemory } from "../../../sources/memory/memory.ts";
import { syncIndex } from "../../../sources/memory/note-index/sync.ts";
import type { SearchQuery, SearchResult } from "../../../sources/memory/search/search.ts";
import { memorySettings } from "../../../sources/memory/settings.ts";
import { findHome } from "../../../store/home.ts";
import type { World } from "../../command.ts";
import { noteProgress } from "./note-progress.ts";

/** Opens the notes for one command and always closes them. Problems with the settings are printed to stderr. */
export async function withMemory<T>(world: World, use: (memory: Memory) => T | Promise<T>): Promise<T> {
  const { env, now } = world;
  const home = findHome(env);
  // Commands that search call `syncFirst`, so a second sync would be wasted.
  const memory = openMemory({
    home,
    env,
    now,
    settings: memorySettings(home, env),
    syncMs: 0,
  });
  for (const { message, hint } of memory.problems) world.tell?.(`continuo: ${message} (${hint})`);
  try {
    return await use(memory);
  } finally {
    memory.close();
  }
}

/** How long a command may index changed notes before it searches. An empty index finds nothing, so filling it may take longer. */
export interface SyncTime {
  readonly emptyMs: number;
  readonly usualMs: number;
  /** Only this many notes, the newest, are checked for changes in place; without it all are. */
  readonly newest?: number;
}

const FOR_PEOPLE: SyncTime = { emptyMs: 30_000, usualMs: 1000 };

/** Checking 10,000 notes takes as long as starting Node and searching them. */
const NEWEST_BEFORE_SEARCH: SyncTime = { ...FOR_PEOPLE, newest: 1000 };

/**
 * Searches notes as they are on disk. In a large store not every note is checked for changes in place first. If the answer
 * shows that some may have changed, all are checked, and searched again.
 */
export async function searchFresh(
  world: Pick<World, "tell" | "progress" | "now">,
  memory: Memory,
  asked: SearchQuery,
): Promise<SearchResult> {
  // Whatever has changed since then counts, so every time has to be known.
  const isWhole = await syncFirst(
    world,
    memory,
    asked.since === undefined ? NEWEST_BEFORE_SEARCH : FOR_PEOPLE,
  );
  const found = await memory.search(asked);
  if (isWhole || !found.mayBeOutdated) return found;
  await syncFirst(world, memory);
  return memory.search(asked);
}

/** Indexes notes that changed on disk, within the given time. Says if some are left. Returns whether all were checked. */
export async function syncFirst(
  world: Pick<World, "tell" | "progress" | "now">,
  memory: Memory,
  { emptyMs, usualMs, newest }: SyncTime = FOR_PEOPLE,
): Promise<boolean> {
  const sliceMs = hasNotes(memory) ? usualMs : emptyMs;
  const onProgress = noteProgress(world, memory);
  let isBehind = false;
  let isWhole = true;
  for (const index of memory.indexes()) {
    const done = await syncIndex(index, {
      sliceMs,
      ...(newest !== undefined && { newest, isScan: false }),
      onProgress,
    });
    isBehind ||= !done.isComplete && done.put > 0;
    isWhole &&= newest === undefined || done.isWhole;
  }
  if (isBehind) world.tell?.("continuo: not all notes are indexed yet; to finish: continuo sync");
  return isWhole;
}

/** Whether any note is indexed. Counting all of them, with what they mention, takes as long as searching them. */
export function hasNotes(memory: Memory): boolean {
  return memory.indexes().some(({ db }) => db.get("SELECT 1 FROM note LIMIT 1") !== undefined);
}

export interface Counts {
  readonly notes: number;
  readonly concepts: number;
  readonly relations: number;
  readonly communities: number;
}

/** Totals of all indexes. */
export function countsOf(memory: Memory): Counts {
  const sum = (sql: string): number =>
    memory.indexes().reduce((all, { db }) => all + (db.get<{ n: number }>(sql)?.n ?? 0), 0);
  return {
    notes: sum("SELECT count(*) AS n FROM note"),
    concepts: sum("SELECT count(*) AS n FROM concept WHERE notes > 0"),
    relations: sum("SELECT count(*) AS n FROM edge WHERE a < b"),
    communities: sum("SELECT count(DISTINCT community) AS n FROM community"),
  };
}

/** Shown to people who have no notes yet. */
export const NO_NOTES = [
  "There are no notes yet. Write one:",
  '  continuo note "We chose SQLite for search."',
  "Or use the notes of another program:",
  "  continuo memory add FOLDER",
].join("\n");
