import { type FSWatcher, statSync, watch as systemWatch } from "node:fs";
import { basename, dirname } from "node:path";
import { isSystemError, systemCode } from "../../../base/errors.ts";

export interface FolderWatch {
  close(): void;
}

export interface WatchOptions {
  /**
   * Names that changed in the folder; undefined if anything may have changed. Called once for changes that come close
   * together.
   */
  readonly onChange: (names: ReadonlySet<string> | undefined) => void;
  /** The folder cannot be watched: limits of the system, or a file system that tells nothing. */
  readonly onFailure: (code: string, path: string) => void;
  /** The system's own watch; another one in tests. */
  readonly watch?: typeof systemWatch;
}

/** Writers change several files at once. */
const TOGETHER_MS = 30;
/** More names say no more than that a lot changed. */
const MOST_NAMES = 500;

/** Watches one folder, not those below it. A folder that does not exist is waited for, also after it was removed. */
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
      // Not persistent: watching alone must not keep the process.
      watcher = watch(at.path, { persistent: false }, (_, name) => noticed(name));
      watcher.on("error", (error) => {
        // Windows tells so that the folder was removed.
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
    // Armed first: what is created while `onChange` runs must not be missed.
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

/** The folder itself, or the nearest one above it that exists. */
function nearestFolder(path: string): { readonly path: string; readonly identity: string } | undefined {
  for (let at = path; ; at = dirname(at)) {
    const found = folderAt(at);
    if (found !== undefined) return { path: at, identity: found };
    if (basename(at) === "" || dirname(at) === at) return undefined;
  }
}

/** The number of a removed folder is soon used again: the time of its creation tells them apart. */
function folderAt(path: string): string | undefined {
  try {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stats?.isDirectory() === true ? `${stats.ino} ${stats.birthtimeNs}` : undefined;
  } catch (error) {
    if (isSystemError(error)) return undefined; // not accessible
    throw error;
  }
}
