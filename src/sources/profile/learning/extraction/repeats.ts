import { join } from "node:path";
import { systemCode } from "../../../../base/errors.ts";
import { homeAt } from "../../../../store/home.ts";
import { withLock } from "../../../../store/lock.ts";
import { readText } from "../../../../store/read-file.ts";
import { writeFileAtomic } from "../../../../store/write-file.ts";
import { normalise } from "../../text.ts";
import type { Found } from "./candidates.ts";

/** A candidate that is too weak to propose until it occurred in several sessions, and the sessions so far. */
export interface Repeat {
  readonly value: string;
  readonly project: string;
  /** When the user last wrote it, in milliseconds. */
  readonly at: number;
  /** The sessions in which the user wrote it, each with the turn. */
  readonly said: readonly { readonly session: string; readonly turn: string }[];
}

/** Two may be coincidence: people do the same task in two sessions. */
export const SESSIONS_NEEDED = 3;
const MAX_REPEATS = 300;
const LOCK_WAIT_MS = 200;
const MAX_AGE_MS = 120 * 24 * 60 * 60 * 1000;

export interface Place {
  readonly session: string;
  readonly project: string;
  readonly at: number;
}

/**
 * Records weak candidates and returns those that occurred in enough sessions. Stored in Continuo's home and not next to
 * the seed, because a casual remark does not belong to the seed yet.
 */
export async function recordRepeats(home: string, found: readonly Found[], place: Place): Promise<Found[]> {
  const weak = found.filter((one) => one.isWeak);
  if (weak.length === 0) return [];
  const path = join(home, "seed-repeats.jsonl");
  return withLock(
    join(homeAt(home).locks, "seed-repeats"),
    () => {
      const { memory, due } = addRepeats(readRepeats(path), weak, place);
      writeFileAtomic(path, formatRepeats(memory), { durable: false });
      return due;
    },
    { waitMs: LOCK_WAIT_MS },
  );
}

function readRepeats(path: string): Repeat[] {
  try {
    return parseRepeats(readText(path, { maxBytes: 16 * 1024 * 1024 }));
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  }
}

/** The stored candidates with these added, and those that have now occurred in enough sessions of this project. */
export function addRepeats(
  memory: readonly Repeat[],
  found: readonly Found[],
  { session, project, at }: Place,
): { memory: Repeat[]; due: Found[] } {
  const kept = new Map(memory.map((one) => [keyOf(one), one]));
  const due: Found[] = [];
  for (const one of found) {
    const value = normalise(one.content);
    const before = kept.get(keyOf({ project, value }));
    // A fork contains the same turns, which count once.
    const isKnown = before?.said.some((each) => each.session === session || each.turn === one.turn) ?? false;
    const said = isKnown ? (before?.said ?? []) : [...(before?.said ?? []), { session, turn: one.turn }];
    // Moved to the end: the oldest are dropped first.
    kept.delete(keyOf({ project, value }));
    kept.set(keyOf({ project, value }), {
      value,
      project,
      at,
      said: said.slice(-SESSIONS_NEEDED),
    });
    if (!isKnown && said.length >= SESSIONS_NEEDED) due.push(one);
  }
  const fresh = [...kept.values()].filter((one) => at - one.at < MAX_AGE_MS);
  return { memory: fresh.slice(-MAX_REPEATS), due };
}

function keyOf({ project, value }: Pick<Repeat, "project" | "value">): string {
  return `${project}\n${value}`;
}

/** Parses the file's lines. A damaged line is skipped, because the user may write the same again. */
export function parseRepeats(text: string): Repeat[] {
  return text.split("\n").flatMap((line) => {
    try {
      const one = JSON.parse(line) as Repeat;
      const isWhole =
        typeof one.value === "string" &&
        typeof one.project === "string" &&
        typeof one.at === "number" &&
        Array.isArray(one.said);
      return isWhole ? [one] : [];
    } catch {
      return []; // a damaged line
    }
  });
}

export function formatRepeats(memory: readonly Repeat[]): string {
  return memory.map((one) => `${JSON.stringify(one)}\n`).join("");
}
