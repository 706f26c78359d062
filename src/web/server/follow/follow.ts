import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describeError, isSystemError } from "../../../base/errors.ts";
import { followLedger as followLines } from "../../../moments/state/follow-ledger.ts";
import type { LedgerLine } from "../../../moments/state/ledger.ts";
import type { Home } from "../../../store/home.ts";
import type { WebEvent } from "../../api/events.ts";
import type { Web } from "../web.ts";
import { followedPlaces, newestLedger, type Place } from "./places.ts";
import { isOnRemoteDisk } from "./remote-disk.ts";
import { sessionEvents } from "./session-files.ts";
import { type FolderWatch, type WatchOptions, watchFolder } from "./watch-folder.ts";
import { watchTree } from "./watch-tree.ts";

export interface Follower {
  /** Checks what cannot be watched. Called when a page asks for something; does nothing if everything is watched. */
  check(): void;
  close(): void;
}

interface FollowOptions extends Pick<WatchOptions, "watch"> {
  /** Called when the files of the sessions' index change. */
  readonly onIndex?: () => void;
}

/** There are only a few hosts; a folder with more entries contains something else. */
const MOST_HOSTS = 32;
const INDEX_FILES: ReadonlySet<string> = new Set(["sessions.db", "sessions.db-wal"]);

/**
 * Publishes what other processes write: hooks, agents, commands, editors. The system reports changes, so nothing runs
 * while nothing happens. What cannot be watched is checked when a page asks.
 */
export function follow(web: Web, { onIndex, watch }: FollowOptions = {}): Follower {
  const watches = new Map<string, FolderWatch>();
  /** By path: its last stamp, and what to do when it has changed. */
  const unwatched = new Map<string, { readonly place: Place; stamp: string }>();
  const failures = new Set<string>();
  const ledger = followLedger(web.home);
  let isClosed = false;

  const publish = (events: readonly WebEvent[]): void => {
    const distinct = new Map(events.map((event) => [JSON.stringify(event), event]));
    for (const event of distinct.values()) web.publish(event);
  };
  const guarded = (work: () => void): void => {
    try {
      if (!isClosed) work();
    } catch (error) {
      web.report("web-follow", describeError(error).message);
    }
  };
  const readLedger = (): void =>
    guarded(() => {
      const { events, isMore } = ledger.next();
      publish(events);
      if (isMore) setImmediate(readLedger);
    });
  const giveUp = (code: string, place: Place): void => {
    unwatched.set(place.path, { place, stamp: stampOf(place) });
    if (failures.has(code)) return;
    failures.add(code);
    web.report(
      "web-not-watched",
      `${place.path} cannot be watched (${code})`,
      "the page shows changes when it is loaded again; on Linux, more watches: sysctl fs.inotify.max_user_watches",
    );
  };
  const add = (place: Place): void => {
    if (watches.has(place.path) || unwatched.has(place.path)) return;
    const onFailure = (code: string): void => giveUp(code, place);
    const onChange = (names: ReadonlySet<string> | undefined): void => guarded(() => changed(place, names));
    if (isOnRemoteDisk(place.path)) onFailure("network file system");
    else
      watches.set(
        place.path,
        (place.isTree === true ? watchTree : watchFolder)(place.path, {
          onChange,
          onFailure,
          watch,
        }),
      );
    if (place.isOfHosts === true) addHosts(place);
  };
  const addHosts = (place: Place): void => {
    for (const host of foldersIn(place.path).slice(0, MOST_HOSTS)) {
      const path = join(place.path, host);
      const events = (names: ReadonlySet<string> | undefined): readonly WebEvent[] =>
        names === undefined ? [{ type: "reset" }] : sessionEvents(path, host, names);
      add({ path, events });
    }
  };
  const changed = (place: Place, names: ReadonlySet<string> | undefined): void => {
    if (place.path === web.home.root) {
      if ([...(names ?? INDEX_FILES)].some((name) => INDEX_FILES.has(name))) onIndex?.();
      // The settings contain the folders of notes and the profile.
      if (names?.has("config.json") === true) for (const one of followedPlaces(web)) add(one);
    }
    if (place.isOfHosts !== true) publish(place.events(names));
    else {
      const before = watches.size + unwatched.size;
      addHosts(place);
      // A new folder: its first file may have been created before it was watched.
      if (watches.size + unwatched.size > before) publish(place.events(undefined));
    }
  };

  const journal: Place = {
    path: web.home.ledger,
    files: () => newestLedger(web.home),
    events: () => {
      readLedger();
      return [];
    },
  };
  guarded(() => {
    for (const place of [journal, ...followedPlaces(web)]) add(place);
  });
  return {
    check() {
      for (const known of unwatched.values())
        guarded(() => {
          const stamp = stampOf(known.place);
          if (stamp === known.stamp) return;
          known.stamp = stamp;
          changed(known.place, undefined);
        });
    },
    close() {
      isClosed = true;
      for (const watch of watches.values()) watch.close();
    },
  };
}

function foldersIn(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
      .map(({ name }) => name);
  } catch (error) {
    if (isSystemError(error)) return []; // not there yet
    throw error;
  }
}

function stampOf({ path, files }: Place): string {
  const paths = [path, ...(files?.() ?? [])];
  return paths
    .map((one) => {
      const stats = statSync(one, { throwIfNoEntry: false });
      return stats === undefined ? "" : `${stats.mtimeMs}/${stats.size}`;
    })
    .join(" ");
}

/** Turns what other processes append to the ledger into events for pages. */
interface LedgerFollower {
  /** The events of new lines. `isMore`: call it again. */
  next(): { readonly events: readonly WebEvent[]; readonly isMore: boolean };
}

function followLedger(home: Home): LedgerFollower {
  const follower = followLines(home);
  return {
    next() {
      const { lines, isMore } = follower.next();
      return { events: eventsOf(lines), isMore };
    },
  };
}

function eventsOf(lines: readonly LedgerLine[]): WebEvent[] {
  return lines.flatMap((line): WebEvent[] => {
    if (typeof line.host !== "string") return [];
    const session = { host: line.host, id: line.session };
    if (line.kind === "context") {
      const { reason, setName } = line;
      return [{ type: "context", session, reason, setName }];
    }
    if (line.kind === "ended") return [{ type: "session", session, reason: "ended" }];
    return [{ type: "given", session, what: line.kind }];
  });
}
