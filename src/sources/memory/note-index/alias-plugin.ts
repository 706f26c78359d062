import { collapse } from "../../../base/text.ts";
import type { IndexPlugin } from "./index-plugin.ts";

/** The other names of notes, so that a note is opened by them. */
export const aliasPlugin: IndexPlugin = {
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
