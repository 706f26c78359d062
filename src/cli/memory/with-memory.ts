import { syncIndex } from "../../sources/memory/index/sync.ts";
import { type Memory, openMemory } from "../../sources/memory/memory.ts";
import { memorySettings } from "../../sources/memory/settings.ts";
import { findHome } from "../../store/home.ts";
import type { Input, World } from "../command.ts";
import { countsOf } from "./counts.ts";
import { throttled } from "./progress.ts";

/** Opens the notes for one command, and closes them whatever happens. Problems of the settings are told beside it. */
export async function withMemory<T>(world: World, use: (memory: Memory) => T | Promise<T>): Promise<T> {
  const { env, now } = world;
  const home = findHome(env);
  // Whoever asks a question looks at the files first, with `lookFirst`; a second look would cost and find nothing.
  const memory = openMemory({ home, env, now, settings: memorySettings(home, env), syncMs: 0 });
  for (const { message, hint } of memory.problems) world.tell?.(`continuo: ${message} (${hint})`);
  try {
    return await use(memory);
  } finally {
    memory.close();
  }
}

const LOOK_MS = 1000;
/** Nobody expects an answer from an empty index: filling it is worth a wait. */
const FIRST_LOOK_MS = 30_000;

/** Before a question: what changed on disk, within bounds. What remains is told. */
export async function lookFirst(input: Input, memory: Memory): Promise<void> {
  const sliceMs = countsOf(memory).notes === 0 ? FIRST_LOOK_MS : LOOK_MS;
  const progress = throttled(input);
  let isBehind = false;
  for (const index of memory.indexes()) {
    const done = await syncIndex(index, { sliceMs, onProgress: ({ put }) => progress(`${put} notes read`) });
    isBehind ||= !done.isComplete && done.put > 0;
  }
  if (isBehind) input.tell?.("continuo: not every note is indexed yet; continuo sync finishes it");
}
