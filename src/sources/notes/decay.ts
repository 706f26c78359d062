import { join } from "node:path";
import { isRecord } from "../../base/json.ts";
import type { Home } from "../../store/home.ts";
import { withLock } from "../../store/lock.ts";
import { readText } from "../../store/read-file.ts";
import { writeFileAtomic } from "../../store/write-file.ts";

const DAY_MS = 86_400_000;

export interface DecaySettings {
  readonly graceDays: { readonly sequential: number; readonly workflows: number; readonly other: number };
  readonly halfLifeDays: number;
  readonly shape: "power-law" | "exponential";
}

export const DEFAULT_DECAY: DecaySettings = {
  graceDays: { sequential: 7, workflows: 14, other: 28 },
  halfLifeDays: 30,
  shape: "power-law",
};

/** The weight of a note by its age: 1 during the grace period, then decreasing, but never 0. */
export function decayWeight(
  note: { readonly uri: string; readonly at: number },
  now: number,
  settings: DecaySettings = DEFAULT_DECAY,
): number {
  const days = Math.floor((now - note.at) / DAY_MS) - graceOf(note.uri, settings);
  if (days <= 0) return 1;
  return settings.shape === "exponential" ? 0.5 ** (days / settings.halfLifeDays) : Math.min(1, days ** -0.5);
}

/** The weights of use and recency besides decay, which is equal for all notes of the last weeks. */
const USE = 0.5;
const RECENCY = 1;
/** A note changed recently is probably about the current work; after a week, half as probably. */
const RECENT_DAYS = 7;

/** How useful a note probably is, judged without its text: fresh, opened before, recently changed. */
export function noteValue(
  { uri, modified }: { readonly uri: string; readonly modified: number },
  lastRead: number | undefined,
  now: number,
  settings: DecaySettings = DEFAULT_DECAY,
): number {
  const days = Math.max(0, now - modified) / DAY_MS;
  const use = lastRead === undefined ? 0 : decayWeight({ uri, at: lastRead }, now, settings);
  const fresh = decayWeight({ uri, at: Math.max(modified, lastRead ?? 0) }, now, settings);
  return fresh + USE * use + RECENCY * 0.5 ** (days / RECENT_DAYS);
}

function graceOf(uri: string, { graceDays }: DecaySettings): number {
  if (uri.includes("thinking/sequential")) return graceDays.sequential;
  // maenifold writes the folder `workflow` but looks for `workflows`.
  if (/thinking\/workflows?\//.test(uri)) return graceDays.workflows;
  return graceDays.other;
}

/** From maenifold's environment variables. A value that is not a number is ignored. */
export function decaySettings(env: NodeJS.ProcessEnv): DecaySettings {
  const days = (name: string, fallback: number) => {
    const value = Number(env[`MAENIFOLD_DECAY_${name}`] || Number.NaN);
    return Number.isFinite(value) && value >= 0 ? value : fallback;
  };
  const { graceDays, halfLifeDays, shape } = DEFAULT_DECAY;
  return {
    graceDays: {
      sequential: days("GRACE_DAYS_SEQUENTIAL", graceDays.sequential),
      workflows: days("GRACE_DAYS_WORKFLOWS", graceDays.workflows),
      other: days("GRACE_DAYS_DEFAULT", graceDays.other),
    },
    halfLifeDays: days("HALF_LIFE_DAYS", halfLifeDays) || halfLifeDays,
    shape: env["MAENIFOLD_DECAY_FUNCTION"] === "exponential" ? "exponential" : shape,
  };
}

const LOCK_WAIT_MS = 500;
/** The file is read and written as a whole, and also contains entries of deleted notes. */
const MAX_NOTES = 20_000;

export function lastReadsFile(home: Pick<Home, "state">): string {
  return join(home.state, "memory-access.json");
}

export type LastReads = ReturnType<typeof lastReads>;

/**
 * The day on which each note was last read, because reading makes a note fresh again. It cannot be derived from the
 * notes, so it is stored outside the index, which may be deleted. Only days, so that reading a note all day costs one
 * write.
 */
export function lastReads(home: Home) {
  const path = lastReadsFile(home);
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
        // Another process may have written the file since it was read.
        const fresh = load(path);
        work(fresh);
        known = fresh.size > MAX_NOTES ? withoutOldest(fresh) : fresh;
        writeFileAtomic(path, JSON.stringify(Object.fromEntries(known)), { durable: false });
      },
      { waitMs: LOCK_WAIT_MS },
    );
  return {
    /** The beginning of the day, in milliseconds since 1970; undefined if Continuo never read the note. */
    lastRead(uri: string): number | undefined {
      const day = days().get(uri);
      return day === undefined ? undefined : day * DAY_MS;
    },
    /** The most recently read notes. */
    latest: (limit: number): string[] =>
      [...days()]
        .sort(([, a], [, b]) => b - a)
        .slice(0, limit)
        .map(([uri]) => uri),
    async recordRead(uri: string, at: number): Promise<void> {
      const day = Math.floor(at / DAY_MS);
      if ((days().get(uri) ?? -1) >= day) return;
      await change((fresh) => void fresh.set(uri, Math.max(day, fresh.get(uri) ?? 0)));
    },
    async recordMove(from: string, to: string): Promise<void> {
      const day = days().get(from);
      if (day === undefined) return;
      await change((fresh) => {
        fresh.delete(from);
        fresh.set(to, day);
      });
    },
  };
}

/** Removes a tenth, so that this is not needed at every read. */
function withoutOldest(days: Map<string, number>): Map<string, number> {
  return new Map([...days].sort(([, a], [, b]) => b - a).slice(0, MAX_NOTES * 0.9));
}

/** If the file is damaged or missing, no note counts as read, and the next read starts a new file. */
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
