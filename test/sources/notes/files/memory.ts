import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { identify, type Located } from "../../../../src/sources/notes/files/identify.ts";
import type { MemoryRoot } from "../../../../src/sources/notes/files/roots.ts";
import type { WriteContext } from "../../../../src/sources/notes/files/with-lock.ts";
import { temporaryFolder, write } from "../../../support/world.ts";

/** A memory folder with the given notes, in its own temporary folder. */
export function memoryWith(files: Record<string, string | Uint8Array> = {}, name?: string): MemoryRoot {
  const path = join(temporaryFolder(), "memory");
  mkdirSync(path);
  write(path, files);
  return { path, kind: "continuo", isWritable: true, ...(name !== undefined && { name }) };
}

export const NOW = Date.parse("2026-03-04T05:06:07.089Z");
export const NOW_TEXT = "2026-03-04T05:06:07.0890000Z";

export function contextFor(root: MemoryRoot): WriteContext {
  return { locks: join(root.path, "..", "locks"), now: () => NOW };
}

export function located(root: MemoryRoot, name: string): Located {
  return identify(`memory://${name}`, [root]);
}

export function textOf(root: MemoryRoot, name: string): string {
  return readFileSync(join(root.path, name), "utf8");
}
