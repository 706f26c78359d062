import { join } from "node:path";
import { isRecord } from "../../../base/settings.ts";
import { writeFileAtomic } from "../../../store/atomic-file.ts";
import type { Home } from "../../../store/home.ts";
import { withLock } from "../../../store/lock.ts";
import { readText } from "../../../store/read-file.ts";

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

/** What a note's age does to its weight: 1 while it is fresh, and less and less after. Never 0: old is not wrong. */
export function decayWeight(
  note: { readonly uri: string; readonly at: number },
  now: number,
  settings: DecaySettings = DEFAULT_DECAY,
): number {
  const days = Math.floor((now - note.at) / DAY_MS) - graceOf(note.uri, settings);
  if (days <= 0) return 1;
  return settings.shape === "exponential" ? 0.5 ** (days / settings.halfLifeDays) : Math.min(1, days ** -0.5);
}

function graceOf(uri: string, { graceDays }: DecaySettings): number {
  if (uri.includes("thinking/sequential")) return graceDays.sequential;
  // The folder is called `workflow`; the program that makes it looks for `workflows`.
  if (/thinking\/workflows?\//.test(uri)) return graceDays.workflows;
  return graceDays.other;
}

/** The variables of the program whose notes these are. What is no number is left at its default. */
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
/** The file is read and written as a whole, and keeps the days of notes that are long gone. */
const MAX_NOTES = 20_000;

/**
 * On which day each note was last read. It cannot be derived from the notes, so it stands beside the index, not in it,
 * and is lost by no reindex. Only days, so that a note read all day long costs one write.
 */
export interface LastReads {
  /** Milliseconds since 1970 of the day's beginning; undefined when the note was never read through us. */
  lastRead(uri: string): number | undefined;
  recordRead(uri: string, at: number): Promise<void>;
  recordMove(from: string, to: string): Promise<void>;
}

export function lastReads(home: Home): LastReads {
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
        known = fresh.size > MAX_NOTES ? withoutOldest(fresh) : fresh;
        writeFileAtomic(path, JSON.stringify(Object.fromEntries(known)), { durable: false });
      },
      { waitMs: LOCK_WAIT_MS },
    );
  return {
    lastRead(uri) {
      const day = days().get(uri);
      return day === undefined ? undefined : day * DAY_MS;
    },
    async recordRead(uri, at) {
      const day = Math.floor(at / DAY_MS);
      if ((days().get(uri) ?? -1) >= day) return;
      await change((fresh) => void fresh.set(uri, Math.max(day, fresh.get(uri) ?? 0)));
    },
    async recordMove(from, to) {
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
  return new Map([...days].sort(([, a], [, b]) => b - a).slice(0, MAX_NOTES * 0.9));
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
