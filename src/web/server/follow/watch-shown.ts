import { basename, dirname } from "node:path";
import type { WebEvent } from "../../api/events.ts";
import type { Web } from "../web.ts";
import { isOnRemoteDisk } from "./remote-disk.ts";
import { type FolderWatch, watchFolder } from "./watch-folder.ts";

/** Folders by path, each with the names to watch; without names, all of them. */
export type Shown = ReadonlyMap<string, ReadonlySet<string> | undefined>;

export interface ShownWatches {
  /**
   * Publishes the event once, when one of these changes on the disk. Replaces what was watched for `key`. Call it
   * before reading the files, so that no change is missed.
   */
  follow(key: string, shown: Shown, event: WebEvent): void;
}

interface Limits {
  /** How many views are watched, the most recent ones; a user has few open. */
  readonly views: number;
  readonly folders: number;
}

/** Something that changes all the time, such as a log, reloads a view at most this often. */
const PACE_MS = 500;

/**
 * Watches what a view shows. A watch reports one change and ends: a page that still shows the view requests it again,
 * which watches it again; for a closed page nothing remains.
 */
export function createShownWatches(web: Pick<Web, "publish" | "onClose">, limits: Limits): ShownWatches {
  const views = new Map<string, View>();
  const told = new Map<string, number>();
  const later = new Map<string, NodeJS.Timeout>();
  const end = (key: string): void => {
    for (const one of views.get(key)?.watches ?? []) one.close();
    views.delete(key);
  };
  web.onClose(() => {
    for (const key of [...views.keys()]) end(key);
    for (const timer of later.values()) clearTimeout(timer);
  });
  const publish = (key: string, event: WebEvent): void => {
    later.delete(key);
    told.delete(key); // moves it to the end
    told.set(key, performance.now());
    for (const oldest of [...told.keys()].slice(0, -limits.views)) told.delete(oldest);
    web.publish(event);
  };
  const tell = (key: string, event: WebEvent): void => {
    end(key);
    const wait = (told.get(key) ?? -PACE_MS) + PACE_MS - performance.now();
    if (wait <= 0) publish(key, event);
    else if (!later.has(key)) later.set(key, setTimeout(publish, wait, key, event).unref());
  };
  return {
    follow(key, shown, event) {
      const of = JSON.stringify([...shown].map(([folder, names]) => [folder, names && [...names]]));
      const before = views.get(key);
      if (before?.of === of) {
        // Another tab shows the same: a new watch would miss a change that this one has noticed but not reported yet.
        views.delete(key);
        views.set(key, before);
        return;
      }
      end(key);
      const view: View = { of, watches: [] };
      views.set(key, view);
      for (const [folder, names] of [...shown].slice(0, limits.folders)) {
        if (isOnRemoteDisk(folder)) continue;
        const watch = watchFolder(folder, {
          onChange(changed) {
            if (changed === undefined || names === undefined || [...names].some((name) => changed.has(name)))
              tell(key, event);
          },
          onFailure() {
            view.of = ""; // tried again when the view is reloaded, for example when the user returns to the page
          },
        });
        view.watches.push(watch);
      }
      for (const oldest of [...views.keys()].slice(0, -limits.views)) end(oldest);
    },
  };
}

interface View {
  /** Identifies what is watched, to compare. */
  of: string;
  readonly watches: FolderWatch[];
}

export function byFolder(paths: readonly string[]): Map<string, Set<string>> {
  const folders = new Map<string, Set<string>>();
  for (const path of paths) {
    const folder = dirname(path);
    const names = folders.get(folder) ?? new Set();
    folders.set(folder, names.add(basename(path)));
  }
  return folders;
}
