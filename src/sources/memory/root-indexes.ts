import { existsSync, statSync } from "node:fs";
import type { Home } from "../../store/home.ts";
import { communityShelf } from "./graph/community-store.ts";
import { graphShelf } from "./graph/shelf.ts";
import { type MemoryIndex, memoryIndexPath, openMemoryIndex } from "./index/memory-index.ts";
import { noteFilesOf } from "./index/note-files.ts";
import type { Shelf } from "./index/shelf.ts";
import { type SyncOptions, type SyncResult, syncIndex } from "./index/sync.ts";
import type { MemoryRoot } from "./notes/root.ts";
import { vectorShelf } from "./vectors/vector-shelf.ts";

export interface RootIndexesOptions {
  readonly home: Home;
  readonly busyTimeoutMs?: number;
  readonly readOnly?: boolean;
}

/** The index of each root: opened when first asked for, and only where there is a folder of notes. */
export interface RootIndexes {
  of(root: MemoryRoot): MemoryIndex | undefined;
  all(): MemoryIndex[];
  sync(options: SyncOptions): Promise<SyncResult>;
  close(): void;
}

/** What every index has besides the text, whatever the settings: an index of another shape would be built anew. */
const shelves = (): Shelf[] => [graphShelf, communityShelf, vectorShelf()];

export function rootIndexes(roots: readonly MemoryRoot[], options: RootIndexesOptions): RootIndexes {
  const opened = new Map<string, MemoryIndex>();

  function of(root: MemoryRoot): MemoryIndex | undefined {
    const known = opened.get(root.path);
    if (known !== undefined || !isFolder(root.path)) return known;
    const path = memoryIndexPath(options.home, root);
    if (options.readOnly === true && !existsSync(path)) return undefined;
    const index = openMemoryIndex(path, noteFilesOf(root), {
      shelves: shelves(),
      ...(options.busyTimeoutMs === undefined ? {} : { busyTimeoutMs: options.busyTimeoutMs }),
    });
    opened.set(root.path, index);
    return index;
  }

  const all = (): MemoryIndex[] => roots.map(of).filter((index) => index !== undefined);

  return {
    of,
    all,
    async sync(asked) {
      const sum: SyncResult = { put: 0, removed: 0, same: 0, isComplete: true, unreadable: [] };
      for (const index of all()) {
        const one = await syncIndex(index, asked);
        sum.put += one.put;
        sum.removed += one.removed;
        sum.same += one.same;
        sum.isComplete &&= one.isComplete;
        sum.unreadable.push(...one.unreadable);
      }
      return sum;
    },
    close() {
      for (const index of opened.values()) index.close();
      opened.clear();
    },
  };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
