import { normalise } from "../../text.ts";
import type { Found } from "./find-candidates.ts";

/** What was said once or twice, and in which sessions: words too weak to propose until they come again. */
export interface Repeat {
  readonly value: string;
  readonly project: string;
  /** When it was last said, in milliseconds. */
  readonly at: number;
  /** One for each session that it was said in: the session and the turn. */
  readonly said: readonly { readonly session: string; readonly turn: string }[];
}

/** Twice may be chance, and people do the same task in two sessions. */
export const SESSIONS_NEEDED = 3;
const MAX_REPEATS = 300;
const MAX_AGE_MS = 120 * 24 * 60 * 60 * 1000;

export interface Place {
  readonly session: string;
  readonly project: string;
  readonly at: number;
}

/** The memory with these added, and those that were now said in enough sessions of this project. */
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
    // A fork has the same turns: they were said once.
    const isKnown = before?.said.some((each) => each.session === session || each.turn === one.turn) ?? false;
    const said = isKnown ? (before?.said ?? []) : [...(before?.said ?? []), { session, turn: one.turn }];
    // A new place in the order: the oldest are forgotten first.
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

/** The file's lines; one that cannot be read is passed over, since it can be said again. */
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
      return [];
    }
  });
}

export function formatRepeats(memory: readonly Repeat[]): string {
  return memory.map((one) => `${JSON.stringify(one)}\n`).join("");
}
