import { join } from "node:path";
import type { Memory } from "../../../sources/memory/memory.ts";
import type { MemoryIndex } from "../../../sources/memory/note-index/memory-index.ts";
import type { SyncResult } from "../../../sources/memory/note-index/sync.ts";
import type { World } from "../../command.ts";
import { progressBar } from "../../terminal/progress.ts";

/** Shows how many notes a sync has read. The bar needs their number; they are counted only if a bar is shown. */
export function noteProgress(
  world: Pick<World, "tell" | "progress" | "now">,
  memory: Memory,
): (result: Readonly<SyncResult>) => void {
  const show = progressBar(world);
  // Each memory root has a result of its own.
  const read = new Map<object, number>();
  let total: number | undefined;
  return (result) => {
    read.set(result, result.put + result.same);
    show(() => {
      total ??= memory.indexes().reduce((sum, index) => sum + noteFileCount(index), 0);
      const done = [...read.values()].reduce((sum, count) => sum + count, 0);
      return { share: share(done, total), label: `${done} of ${Math.max(done, total)} notes read` };
    });
  };
}

/** Unknown where there is nothing. */
export function share(done: number, total: number): number | undefined {
  return total > 0 ? Math.min(1, done / total) : undefined;
}

/** A store with more folders is not counted to its end. */
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
