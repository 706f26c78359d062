import { updateCommunities } from "./graph/communities.ts";
import type { MemoryIndex } from "./note-index/memory-index.ts";
import { refreshPending, type SyncOptions, type SyncResult } from "./note-index/sync.ts";
import { reading } from "./reading.ts";
import { memorySettings } from "./settings.ts";
import type { EmbedOptions, EmbedResult } from "./vectors/embed-pending.ts";
import { type MemoryOptions, workspaceOf } from "./workspace.ts";
import { writing } from "./writing.ts";

/** All operations on notes, for tools, hooks and the command line: reading.ts, writing.ts, and the index. */
export type Memory = ReturnType<typeof openMemory>;

/** Opens no file yet: an index is opened by the first query, and only if the root's folder exists. */
export function openMemory(options: MemoryOptions) {
  const workspace = workspaceOf(options);
  const { roots, problems, locate, indexes } = workspace;
  return {
    /** The main root first. */
    roots,
    /** Problems with the settings of roots. */
    problems,
    /** Finds a note's file. */
    locate,
    ...reading(workspace),
    ...writing(workspace),
    /** Computes the vectors of a larger model; undefined if none is configured. */
    async embed(given: EmbedOptions = {}): Promise<EmbedResult | undefined> {
      const all: EmbedResult = { embedded: 0, passages: 0, pending: 0 };
      const semantic = await workspace.loadSemantic();
      if (semantic === undefined) return undefined;
      for (const index of indexes.all()) {
        const one = await semantic.embed(index, given);
        all.embedded += one.embedded;
        all.passages += one.passages;
        all.pending += one.pending;
      }
      return all;
    },
    /**
     * Checks every file and computes missing communities. With `sliceMs`, stops after that time, without communities.
     */
    async sync(given: SyncOptions = {}): Promise<SyncResult> {
      const result = await indexes.sync(given);
      if (result.isComplete && given.sliceMs === undefined)
        for (const { db } of indexes.all()) updateCommunities(db);
      return result;
    },
    /** Computes pending vectors of the table of meaning, for at most this long. */
    async refreshVectors({
      sliceMs,
      signal,
    }: Pick<SyncOptions, "signal"> & { readonly sliceMs: number }): Promise<void> {
      const deadline = Date.now() + sliceMs;
      for (const index of indexes.all()) await refreshPending(index, deadline, signal);
    },
    /** The indexes of existing roots, opened, for reports and benchmarks. */
    indexes: (): readonly MemoryIndex[] => indexes.all(),
    close: indexes.close,
  };
}

/** The place of one call, for which notes are opened. */
export interface CallPlace extends Pick<MemoryOptions, "home" | "env" | "syncMs" | "signal"> {
  readonly now: number | (() => number);
  readonly tell?: (line: string) => void;
}

/**
 * Opens the notes for one call of an action, a tool or a resource, and always closes them. Warns about wrong settings.
 */
export async function withMemory<T>(place: CallPlace, work: (memory: Memory) => T | Promise<T>): Promise<T> {
  const { home, env, syncMs, signal, tell } = place;
  const now = typeof place.now === "function" ? place.now : () => Number(place.now);
  const memory = openMemory({ home, env, settings: memorySettings(home, env), now, syncMs, signal });
  for (const { message, hint } of memory.problems) tell?.(`continuo: ${message} (${hint})`);
  try {
    return await work(memory);
  } finally {
    memory.close();
  }
}
