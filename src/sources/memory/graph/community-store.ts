import type { Database } from "../../../store/sqlite/types.ts";
import type { Shelf } from "../index/shelf.ts";
import { detectCommunities, type Edge } from "./communities.ts";

/** A note with more concepts than this says little about which belong together, and its pairs are their square. */
const MOST_PER_NOTE = 64;

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
  const weights = new Map<number, number>();
  const count = positions.size;
  for (const members of notesOf(db)) {
    // By name, not by number: numbers depend on the order in which notes were indexed.
    const places = members
      .map((id) => positions.get(id) ?? 0)
      .sort((a, b) => a - b)
      .slice(0, MOST_PER_NOTE);
    places.forEach((a, i) => {
      for (const b of places.slice(i + 1)) weights.set(a * count + b, (weights.get(a * count + b) ?? 0) + 1);
    });
  }
  return [...weights]
    .sort(([x], [y]) => x - y)
    .map(([key, weight]) => ({ a: Math.floor(key / count), b: key % count, weight }));
}

/** The concepts of each note. */
function notesOf(db: Database): number[][] {
  const byNote = new Map<number, number[]>();
  for (const { note, concept } of db.all<{ note: number; concept: number }>(
    "SELECT note, concept FROM mention ORDER BY note, concept",
  )) {
    const concepts = byNote.get(note);
    if (concepts === undefined) byNote.set(note, [concept]);
    else concepts.push(concept);
  }
  return [...byNote.values()];
}
