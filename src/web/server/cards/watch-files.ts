import { basename, dirname } from "node:path";
import type { SessionKey } from "../../../moments/state/session-meta.ts";
import { isOnRemoteDisk } from "../follow/remote-disk.ts";
import { type FolderWatch, watchFolder } from "../follow/watch-folder.ts";
import type { Web } from "../web.ts";

/** Cards that pages looked at last; a person has few open. */
const MOST_CARDS = 8;
const MOST_FOLDERS = 24;

export interface CardWatches {
  /** Publishes one `context` event when one of these files changes. Replaces what was watched for the session. */
  watch(session: SessionKey, paths: readonly string[]): void;
}

/**
 * Follows the files that cards show. A watch tells of one change and ends: a page that still shows the card asks for it
 * again, which watches again, and for a page that is closed nothing is left to do.
 */
export function createCardWatches(web: Web): CardWatches {
  const cards = new Map<string, readonly FolderWatch[]>();
  const end = (key: string): void => {
    for (const one of cards.get(key) ?? []) one.close();
    cards.delete(key);
  };
  web.onClose(() => {
    for (const key of [...cards.keys()]) end(key);
  });
  return {
    watch({ host, id }, paths) {
      const key = `${host}/${id}`;
      end(key);
      const tell = (): void => {
        end(key);
        web.publish({ type: "context", session: { host, id }, reason: "changed", setName: "files" });
      };
      const watches = [...byFolder(paths)].slice(0, MOST_FOLDERS).map(([folder, names]) =>
        watchFolder(folder, {
          onChange(changed) {
            if (changed === undefined || [...names].some((name) => changed.has(name))) tell();
          },
          onFailure() {
            // The card is loaded again when the person returns to the page.
          },
        }),
      );
      cards.set(key, watches);
      for (const oldest of [...cards.keys()].slice(0, -MOST_CARDS)) end(oldest);
    },
  };
}

function byFolder(paths: readonly string[]): Map<string, Set<string>> {
  const folders = new Map<string, Set<string>>();
  for (const path of paths) {
    const folder = dirname(path);
    const names = folders.get(folder) ?? new Set();
    folders.set(folder, names.add(basename(path)));
  }
  for (const folder of folders.keys()) if (isOnRemoteDisk(folder)) folders.delete(folder);
  return folders;
}
