import { grouped } from "../../../base/when.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import type { Note } from "../files/note.ts";
import { MOST_LINKS } from "../files/wikilinks.ts";
import type { IndexPlugin } from "../note-index/index-plugin.ts";

/**
 * Only this many concepts of a note are paired: the number of pairs is quadratic, and a long list of concepts says
 * little about relations.
 */
const PAIRED = 64;

/** The pairs of concepts in a note, each in both directions. */
const PAIRS = `
  SELECT x.concept, y.concept FROM mention AS x JOIN mention AS y ON y.note = x.note AND y.concept <> x.concept
  WHERE x.note = $id AND x.place < ${PAIRED} AND y.place < ${PAIRED}`;

/** The graph: which notes name which concepts, and how many notes name each pair of concepts. */
export const graphPlugin: IndexPlugin = {
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
      place INTEGER NOT NULL,            -- 0 is the first that the note names
      PRIMARY KEY (note, concept)
    ) WITHOUT ROWID;
    CREATE INDEX mention_by_concept ON mention (concept, note);
    CREATE TABLE edge (
      a INTEGER NOT NULL,
      b INTEGER NOT NULL,
      notes INTEGER NOT NULL,            -- how many name both
      PRIMARY KEY (a, b)
    ) WITHOUT ROWID;
  `,
  put(db: Database, id: number, note: Note) {
    note.concepts.slice(0, MOST_LINKS).forEach((name, place) => {
      const found = db.get<{ id: number }>(
        "INSERT INTO concept (name, notes) VALUES ($name, 1) ON CONFLICT (name) DO UPDATE SET notes = notes + 1 RETURNING id",
        { name },
      );
      if (found === undefined) throw new Error(`no row for the concept ${name}`);
      db.run("INSERT INTO mention (note, concept, place) VALUES ($id, $concept, $place)", {
        id,
        concept: found.id,
        place,
      });
    });
    db.run(
      `INSERT INTO edge (a, b, notes) SELECT *, 1 FROM (${PAIRS}) WHERE true
       ON CONFLICT (a, b) DO UPDATE SET notes = notes + 1`,
      { id },
    );
    return note.links.length > MOST_LINKS
      ? `only its first ${grouped(MOST_LINKS)} links are in the index`
      : undefined;
  },
  remove(db: Database, id: number) {
    const named = "(SELECT concept FROM mention WHERE note = $id)";
    db.run(`UPDATE edge SET notes = notes - 1 WHERE (a, b) IN (${PAIRS})`, { id });
    db.run(`DELETE FROM edge WHERE (a, b) IN (${PAIRS}) AND notes = 0`, { id });
    db.run(`UPDATE concept SET notes = notes - 1 WHERE id IN ${named}`, { id });
    db.run(`DELETE FROM concept WHERE id IN ${named} AND notes = 0`, { id });
    db.run("DELETE FROM mention WHERE note = $id", { id });
  },
};
