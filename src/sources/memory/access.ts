import { join } from "node:path";
import { isRecord } from "../../base/settings.ts";
import { writeFileAtomic } from "../../store/atomic-file.ts";
import type { Home } from "../../store/home.ts";
import { withLock } from "../../store/lock.ts";
import { readText } from "../../store/read-file.ts";

const DAY_MS = 86_400_000;
const LOCK_WAIT_MS = 500;
/** The file is read and written as a whole, and keeps the days of notes that are long gone. */
const MOST_NOTES = 20_000;

/**
 * On which day each note was last read. It cannot be derived from the notes, so it stands beside the index, not in it,
 * and is lost by no reindex. Only days, so that a note read all day long costs one write.
 */
export interface AccessDays {
  /** Milliseconds since 1970 of the day's beginning; undefined when the note was never read through us. */
  lastRead(uri: string): number | undefined;
  wasRead(uri: string, at: number): Promise<void>;
  wasMoved(from: string, to: string): Promise<void>;
}

export function accessDays(home: Home): AccessDays {
  const path = join(home.state, "memory-access.json");
  const lock = join(home.locks, "memory-access");
  let known: Map<string, number> | undefined;
  const days = (): Map<string, number> => {
    known ??= load(path);
    return known;
  };
  const change = (work: (fresh: Map<string, number>) => void): Promise<void> =>
    withLock(
      lock,
      () => {
        // Another process may have added to it since we read it.
        const fresh = load(path);
        work(fresh);
        known = fresh.size > MOST_NOTES ? withoutOldest(fresh) : fresh;
        writeFileAtomic(path, JSON.stringify(Object.fromEntries(known)), { durable: false });
      },
      { waitMs: LOCK_WAIT_MS },
    );
  return {
    lastRead(uri) {
      const day = days().get(uri);
      return day === undefined ? undefined : day * DAY_MS;
    },
    async wasRead(uri, at) {
      const day = Math.floor(at / DAY_MS);
      if ((days().get(uri) ?? -1) >= day) return;
      await change((fresh) => void fresh.set(uri, Math.max(day, fresh.get(uri) ?? 0)));
    },
    async wasMoved(from, to) {
      const day = days().get(from);
      if (day === undefined) return;
      await change((fresh) => {
        fresh.delete(from);
        fresh.set(to, day);
      });
    },
  };
}

/** A tenth fewer, so that this is not done at every reading. */
function withoutOldest(days: Map<string, number>): Map<string, number> {
  return new Map([...days].sort(([, a], [, b]) => b - a).slice(0, MOST_NOTES * 0.9));
}

/** Damaged or missing: no note counts as read, and the next reading begins a new file. */
function load(path: string): Map<string, number> {
  try {
    const raw: unknown = JSON.parse(readText(path, { maxBytes: 16 * 1024 * 1024 }));
    if (!isRecord(raw)) return new Map();
    return new Map(
      Object.entries(raw).filter((entry): entry is [string, number] => Number.isInteger(entry[1])),
    );
  } catch {
    return new Map();
  }
}
