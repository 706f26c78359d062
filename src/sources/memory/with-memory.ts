import type { ToolContext } from "../../moments/ports/tool.ts";
import { type Memory, openMemory } from "./memory.ts";
import { memorySettings } from "./settings.ts";

/** Opens the notes for one call of a tool or a resource, and closes them whatever happens. */
export async function withMemory<T>(
  { home, env, now }: ToolContext,
  work: (memory: Memory) => Promise<T>,
): Promise<T> {
  const memory = openMemory({
    home,
    env,
    settings: memorySettings(home, env),
    now: () => now,
    maySearchByMeaning: true,
  });
  try {
    return await work(memory);
  } finally {
    memory.close();
  }
}
