import { syncIndex } from "../../../sources/memory/index/sync.ts";
import { type Memory, openMemory } from "../../../sources/memory/memory.ts";
import { memorySettings } from "../../../sources/memory/settings.ts";
import { findHome } from "../../../store/home.ts";
import type { World } from "../../command.ts";
import { throttled } from "../../terminal/progress.ts";

/** Opens the notes for one command, and closes them whatever happens. Problems of the settings are told beside it. */
export async function withMemory<T>(world: World, use: (memory: Memory) => T | Promise<T>): Promise<T> {
  const { env, now } = world;
  const home = findHome(env);
  // Whoever asks a question looks at the files first, with `lookFirst`; a second look would cost and find nothing.
  const memory = openMemory({
    home,
    env,
    now,
    settings: memorySettings(home, env),
    syncMs: 0,
    maySearchByMeaning: true,
  });
  for (const { message, hint } of memory.problems) world.tell?.(`continuo: ${message} (${hint})`);
  try {
    return await use(memory);
  } finally {
    memory.close();
  }
}

/** How long a question may first look at the files. Nobody expects an answer from an empty index: filling it is worth more. */
export interface Patience {
  readonly emptyMs: number;
  readonly usualMs: number;
}

const PERSON: Patience = { emptyMs: 30_000, usualMs: 1000 };

/** Before a question: what changed on disk, within bounds. What remains is told. */
export async function lookFirst(
  world: Pick<World, "tell" | "now">,
  memory: Memory,
  { emptyMs, usualMs }: Patience = PERSON,
): Promise<void> {
  const sliceMs = countsOf(memory).notes === 0 ? emptyMs : usualMs;
  const progress = throttled(world);
  let isBehind = false;
  for (const index of memory.indexes()) {
    const done = await syncIndex(index, { sliceMs, onProgress: ({ put }) => progress(`${put} notes read`) });
    isBehind ||= !done.isComplete && done.put > 0;
  }
  if (isBehind) world.tell?.("continuo: not every note is indexed yet; continuo sync finishes it");
}

export interface Counts {
  readonly notes: number;
  readonly concepts: number;
  readonly relations: number;
  readonly communities: number;
}

/** How much the indexes hold together. */
export function countsOf(memory: Memory): Counts {
  const sum = (sql: string): number =>
    memory.indexes().reduce((all, { db }) => all + (db.get<{ n: number }>(sql)?.n ?? 0), 0);
  return {
    notes: sum("SELECT count(*) AS n FROM note"),
    concepts: sum("SELECT count(*) AS n FROM concept WHERE notes > 0"),
    relations: sum("SELECT count(*) AS n FROM edge WHERE a < b"),
    communities: sum("SELECT count(DISTINCT community) AS n FROM community"),
  };
}

/** What somebody who has no notes yet is told. */
export const NO_NOTES = [
  "There are no notes yet. Write one:",
  '  continuo write "We chose [[sqlite]] for [[search]]." --title "Why SQLite"',
  "or read those of another program: continuo memory add FOLDER",
].join("\n");
