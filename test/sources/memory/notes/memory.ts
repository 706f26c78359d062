import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { MemoryRoot } from "../../../../src/sources/memory/notes/root.ts";
import { temporaryFolder, write } from "../../../support/world.ts";

/** A memory folder with the given notes, alone in a folder of its own. */
export function memoryWith(files: Record<string, string | Uint8Array> = {}, name?: string): MemoryRoot {
  const path = join(temporaryFolder(), "memory");
  mkdirSync(path);
  write(path, files);
  return { path, kind: "continuo", isWritable: true, ...(name !== undefined && { name }) };
}
