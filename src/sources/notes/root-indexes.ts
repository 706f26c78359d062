import { existsSync, statSync } from "node:fs";
import { collapse } from "../../base/text.ts";
import type { MeaningSource } from "../../search/vectors/embed-texts.ts";
import type { Home } from "../../store/home.ts";
import { noteFailure } from "./files/failures.ts";
import type { MemoryRoot } from "./files/roots.ts";
import { communityPlugin } from "./graph/communities.ts";
import { graphPlugin } from "./graph/graph-plugin.ts";
import type { IndexPlugin } from "./note-index/index-plugin.ts";
import { type MemoryIndex, memoryIndexPath, openMemoryIndex } from "./note-index/memory-index.ts";
import { noteFilesOf } from "./note-index/note-files.ts";
import { nothingSynced, type SyncOptions, type SyncResult, syncIndex } from "./note-index/sync.ts";
import { vectorPlugin } from "./vectors/vector-store.ts";

interface RootIndexesOptions {
  readonly home: Home;
  readonly busyTimeoutMs?: number;
  readonly readOnly?: boolean;
  readonly keepsOpen?: boolean;
  readonly meaning: MeaningSource;
}

/** Every index has these, regardless of the settings: otherwise changing the settings would empty the index. */
const plugins = (): IndexPlugin[] => [graphPlugin, communityPlugin, aliasPlugin, vectorPlugin()];

/** The index of each root. An index is opened when first used, and only if the root's folder exists. */
export function rootIndexes(roots: readonly MemoryRoot[], options: RootIndexesOptions) {
  const opened = new Map<string, MemoryIndex>();

  function of(root: MemoryRoot): MemoryIndex | undefined {
    const known = opened.get(root.path);
    if (known !== undefined || !isFolder(root.path)) return known;
    const path = memoryIndexPath(options.home, root);
    if (options.readOnly === true && !existsSync(path)) return undefined;
    const index = openMemoryIndex(path, noteFilesOf(root), {
      plugins: plugins(),
      meaning: options.meaning,
      keepsOpen: options.keepsOpen === true,
      busyTimeoutMs: options.busyTimeoutMs,
    });
    opened.set(root.path, index);
    return index;
  }

  const all = (): MemoryIndex[] => roots.map(of).filter((index) => index !== undefined);

  return {
    of,
    all,
    async sync(syncOptions: SyncOptions): Promise<SyncResult> {
      const sum = nothingSynced();
      for (const index of all()) {
        const one = await syncIndex(index, syncOptions);
        sum.put += one.put;
        sum.removed += one.removed;
        sum.same += one.same;
        sum.isComplete &&= one.isComplete;
        sum.isWhole &&= one.isWhole;
        sum.unreadable.push(...one.unreadable);
        sum.left += one.left;
      }
      return sum;
    },
    close(): void {
      for (const index of opened.values()) index.close();
      opened.clear();
    },
  };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The root of a folder. Like an address, a folder may begin with a root's name: `@vault/daily`. */
export function rootNamed(folder: string, roots: readonly MemoryRoot[]): { root: MemoryRoot; below: string } {
  const [, name, below = ""] = /^@([^/\\]*)(?:[/\\](.*))?$/s.exec(folder.replace(/^memory:\/\//, "")) ?? [];
  const root = roots.find((one) => one.name === name);
  if (root === undefined) {
    const names = roots.map((one) => (one.name === undefined ? "the main folder" : `@${one.name}`));
    throw noteFailure(
      "note-not-found",
      `there is no folder of notes named @${name ?? ""}`,
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

/** The other names of notes, by which a note can be opened. */
const aliasPlugin: IndexPlugin = {
  name: "aliases",
  schema: `
    CREATE TABLE alias (
      name TEXT NOT NULL COLLATE NOCASE,
      note INTEGER NOT NULL,
      PRIMARY KEY (name, note)
    ) WITHOUT ROWID;
    CREATE INDEX alias_by_note ON alias (note);
  `,
  put(db, id, { aliases }) {
    for (const name of aliases)
      db.run("INSERT INTO alias VALUES (?, ?) ON CONFLICT DO NOTHING", [collapse(name), id]);
    return undefined;
  },
  remove(db, id) {
    db.run("DELETE FROM alias WHERE note = ?", [id]);
  },
};
