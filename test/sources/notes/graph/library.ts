import { DEFAULT_DECAY } from "../../../../src/sources/notes/decay.ts";
import type { Note } from "../../../../src/sources/notes/files/note.ts";
import { communityPlugin } from "../../../../src/sources/notes/graph/communities.ts";
import { graphPlugin } from "../../../../src/sources/notes/graph/graph-plugin.ts";
import type { DecayContext } from "../../../../src/sources/notes/graph/relations.ts";
import { openDatabase } from "../../../../src/store/sqlite/open.ts";
import type { Database } from "../../../../src/store/sqlite/types.ts";

export const NOW = Date.parse("2026-06-01T00:00:00Z");
export const DAY = 86_400_000;
export const LOOK: DecayContext = { now: NOW, decay: DEFAULT_DECAY };

/** The plug-ins of the graph without the rest of the index. */
export function library(): {
  db: Database;
  put(name: string, concepts: readonly string[], daysOld?: number): void;
  remove(name: string): void;
} {
  const db = openDatabase(":memory:");
  db.exec("CREATE TABLE note (id INTEGER PRIMARY KEY, uri TEXT UNIQUE, modified INTEGER, created INTEGER)");
  for (const plugin of [graphPlugin, communityPlugin]) db.exec(plugin.schema);
  const remove = (name: string) => {
    const id = db.get<{ id: number }>("SELECT id FROM note WHERE uri = $uri", { uri: uriOf(name) })?.id;
    if (id === undefined) return;
    for (const plugin of [graphPlugin, communityPlugin]) plugin.remove(db, id);
    db.run("DELETE FROM note WHERE id = $id", { id });
  };
  return {
    db,
    remove,
    put(name, concepts, daysOld = 0) {
      remove(name);
      const modified = NOW - daysOld * DAY;
      const { lastId } = db.run("INSERT INTO note (uri, modified) VALUES ($uri, $modified)", {
        uri: uriOf(name),
        modified,
      });
      for (const plugin of [graphPlugin, communityPlugin])
        plugin.put(db, lastId, noteOf(name, concepts, modified));
    },
  };
}

export function uriOf(name: string): string {
  return `memory://${name}`;
}

function noteOf(name: string, concepts: readonly string[], modified: number): Note {
  return {
    uri: uriOf(name),
    path: `/${name}.md`,
    title: name,
    body: "",
    frontmatter: {},
    properties: [],
    aliases: [],
    tags: [],
    concepts,
    links: [],
    created: undefined,
    modified,
    checksum: "",
    size: 0,
    problems: [],
  };
}
