import type { MemoryIndex } from "./index/memory-index.ts";
import { noteFailure } from "./notes/failures.ts";
import type { MemoryRoot } from "./notes/root.ts";

/** A folder may begin with the name of a root, as an address does: `@vault/daily`. */
export function rootNamed(folder: string, roots: readonly MemoryRoot[]): { root: MemoryRoot; below: string } {
  const [, name, below = ""] = /^@([^/\\]*)(?:[/\\](.*))?$/s.exec(folder.replace(/^memory:\/\//, "")) ?? [];
  const root = roots.find((one) => one.name === name);
  if (root === undefined) {
    const names = roots.map((one) => (one.name === undefined ? "the main folder" : `@${one.name}`));
    throw noteFailure(
      "note-not-found",
      `there is no folder of notes called @${name ?? ""}`,
      `known: ${names.join(", ")}`,
    );
  }
  return { root, below: name === undefined ? folder.replace(/^memory:\/\//, "") : below };
}

export function indexesFor(
  indexes: readonly MemoryIndex[],
  folder: string | undefined,
  roots: readonly MemoryRoot[],
): MemoryIndex[] {
  if (!folder) return [...indexes];
  const { root } = rootNamed(folder, roots);
  return indexes.filter(({ files }) => files.root === root.path);
}

export function withoutRoot<T extends { readonly folder?: string }>(asked: T): T {
  const below = asked.folder?.replace(/^(?:memory:\/\/)?@[^/\\]*[/\\]?/, "");
  return below === undefined ? asked : { ...asked, folder: below };
}
