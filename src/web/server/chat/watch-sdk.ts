import { existsSync, type FSWatcher, watch } from "node:fs";
import { join } from "node:path";

/** npm writes this file last. */
const DONE = ".package-lock.json";

/**
 * Calls back once when npm has installed something into a folder that may not exist yet. Watches the deepest part of its
 * path that exists; nothing polls.
 */
export function watchInstall(home: string, folder: string, appeared: () => void): () => void {
  const chain = [home, folder, join(folder, "node_modules")];
  let watcher: FSWatcher | undefined;
  let watched = "";

  function stop(): void {
    watcher?.close();
    watcher = undefined;
  }
  function look(): void {
    if (existsSync(join(folder, "node_modules", DONE))) {
      stop();
      appeared();
      return;
    }
    const deepest = chain.filter((one) => existsSync(one)).at(-1);
    if (deepest === undefined || deepest === watched) return;
    stop();
    watched = deepest;
    watcher = watch(deepest, { persistent: false }, look);
    watcher.on("error", stop); // the folder was removed; the page's button still looks again
  }
  look();
  return stop;
}
