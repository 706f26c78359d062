import { type FSWatcher, statSync, watch as systemWatch } from "node:fs";
import { basename, dirname } from "node:path";
import { isSystemError, systemCode } from "../../../base/errors.ts";

export interface FolderWatch {
  close(): void;
}

export interface WatchOptions {
  /**
   * Called with the names that changed in the folder; undefined if anything may have changed. Changes in quick
   * succession are combined.
   */
  readonly onChange: (names: ReadonlySet<string> | undefined) => void;
  /** The folder cannot be watched: a limit of the system, or a file system that reports no changes. */
  readonly onFailure: (code: string, path: string) => void;
  /** Replaces the system's own watch in tests. */
  readonly watch?: typeof systemWatch;
}

/** Programs often change several files at once. */
const TOGETHER_MS = 30;
/** With more names, it is enough to know that a lot changed. */
const MOST_NAMES = 500;

/** Watches one folder, without its subfolders. A missing folder is waited for, even after it was removed. */
export function watchFolder(
  path: string,
  { onChange, onFailure, watch = systemWatch }: WatchOptions,
): FolderWatch {
  let watcher: FSWatcher | undefined;
  let watched: string | undefined;
  let identity: string | undefined;
  let names: Set<string> | undefined = new Set();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const arm = (): void => {
    watcher?.close();
    watcher = undefined;
    const at = nearestFolder(path);
    watched = at?.path;
    identity = at?.identity;
    if (at === undefined) return;
    try {
      // Not persistent: watching alone must not keep the process alive.
      watcher = watch(at.path, { persistent: false }, (_, name) => noticed(name));
      watcher.on("error", (error) => {
        // Windows reports a removed folder this way.
        if (systemCode(error) === "EPERM" && nearestFolder(path)?.path !== watched) noticed(null);
        else fail(error);
      });
    } catch (error) {
      fail(error);
    }
  };
  const fail = (error: unknown): void => {
    if (!isSystemError(error)) throw error;
    watcher?.close();
    watcher = undefined;
    if (!isClosed) onFailure(systemCode(error) ?? "unknown", path);
  };
  const noticed = (name: string | null): void => {
    if (isClosed) return;
    if (name === null || (names?.size ?? 0) >= MOST_NAMES) names = undefined;
    else names?.add(name);
    timer ??= setTimeout(flush, TOGETHER_MS).unref();
  };
  const flush = (): void => {
    timer = undefined;
    if (isClosed) return;
    const changed = names;
    names = new Set();
    const wasThere = watched === path;
    const now = nearestFolder(path);
    const isSame = now?.path === watched && now?.identity === identity;
    // Watch first: anything created while `onChange` runs must not be missed.
    if (!isSame) arm();
    if (wasThere && isSame) onChange(changed);
    else if (wasThere || watched === path) onChange(undefined);
  };

  arm();
  return {
    close() {
      isClosed = true;
      clearTimeout(timer);
      watcher?.close();
    },
  };
}

/** The folder itself, or the nearest existing one above it. */
function nearestFolder(path: string): { readonly path: string; readonly identity: string } | undefined {
  for (let at = path; ; at = dirname(at)) {
    const found = folderAt(at);
    if (found !== undefined) return { path: at, identity: found };
    if (basename(at) === "" || dirname(at) === at) return undefined;
  }
}

/** Includes the time of creation, because the inode of a removed folder is soon reused. */
function folderAt(path: string): string | undefined {
  try {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stats?.isDirectory() === true ? `${stats.ino} ${stats.birthtimeNs}` : undefined;
  } catch (error) {
    if (isSystemError(error)) return undefined; // not accessible
    throw error;
  }
}
