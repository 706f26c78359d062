import type { Database } from "../../../store/sqlite/types.ts";
import type { Shelf } from "../index/shelf.ts";
import { detectCommunities, type Edge } from "./communities.ts";

/**
 * Groups are found for the whole graph at once, so they are kept until it changes. Changing a note empties the shelf:
 * old groups are never shown, and finding them again is left to whoever has the time.
 */
export const communityShelf: Shelf = {
  name: "communities",
  schema: `
    CREATE TABLE community (
      concept INTEGER PRIMARY KEY,
      community INTEGER NOT NULL
    );
    CREATE INDEX community_members ON community (community, concept);
  `,
  put: forget,
  remove: forget,
};

function forget(db: Database): void {
  // Without a condition SQLite drops all rows at once, and an empty table costs nothing.
  db.run("DELETE FROM community");
}

/** Finds the groups unless they are known. Returns how many there are. */
export function keepCommunities(db: Database): number {
  const known = db.get<{ n: number | null }>("SELECT max(community) + 1 AS n FROM community")?.n;
  if (known) return known;
  const concepts = db.all<{ id: number }>("SELECT id FROM concept ORDER BY name");
  const positions = new Map(concepts.map(({ id }, position) => [id, position]));
  const groups = detectCommunities(concepts.length, edgesOf(db, positions));
  db.tx(() => {
    db.run("DELETE FROM community");
    concepts.forEach(({ id }, position) => {
      db.run("INSERT INTO community (concept, community) VALUES ($id, $group)", {
        id,
        group: groups[position] ?? 0,
      });
    });
  });
  return new Set(groups).size;
}

function edgesOf(db: Database, positions: ReadonlyMap<number, number>): Edge[] {
  return db
    .all<{ a: number; b: number; notes: number }>("SELECT a, b, notes FROM edge WHERE a < b")
    .map(({ a, b, notes }) => ({ a: positions.get(a) ?? 0, b: positions.get(b) ?? 0, weight: notes }))
    .sort((x, y) => x.a - y.a || x.b - y.b);
}
