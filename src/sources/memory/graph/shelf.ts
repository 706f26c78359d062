import type { Database } from "../../../store/sqlite/types.ts";
import type { Shelf } from "../index/shelf.ts";
import type { Note } from "../notes/note.ts";

/**
 * Which note names which concept. Two concepts are related when a note names both; that is counted when it is asked
 * for, so no edge can outlive the words that made it, and a note with ten thousand links makes ten thousand rows
 * instead of fifty million edges.
 */
export const graphShelf: Shelf = {
  name: "graph",
  schema: `
    CREATE TABLE concept (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      notes INTEGER NOT NULL             -- how many name it
    );
    CREATE TABLE mention (
      note INTEGER NOT NULL,
      concept INTEGER NOT NULL,
      PRIMARY KEY (note, concept)
    ) WITHOUT ROWID;
    CREATE INDEX mention_by_concept ON mention (concept, note);
  `,
  put(db: Database, id: number, note: Note) {
    for (const name of note.concepts) {
      const found = db.get<{ id: number }>(
        "INSERT INTO concept (name, notes) VALUES ($name, 1) ON CONFLICT (name) DO UPDATE SET notes = notes + 1 RETURNING id",
        { name },
      );
      if (found !== undefined)
        db.run("INSERT INTO mention (note, concept) VALUES ($id, $concept)", { id, concept: found.id });
    }
  },
  remove(db: Database, id: number) {
    db.run(
      "UPDATE concept SET notes = notes - 1 WHERE id IN (SELECT concept FROM mention WHERE note = $id)",
      {
        id,
      },
    );
    db.run("DELETE FROM concept WHERE notes = 0 AND id IN (SELECT concept FROM mention WHERE note = $id)", {
      id,
    });
    db.run("DELETE FROM mention WHERE note = $id", { id });
  },
};
