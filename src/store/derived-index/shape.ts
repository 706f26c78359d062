import { fingerprint } from "../../base/fingerprint.ts";
import { REDACTION } from "../redact.ts";
import type { Database } from "../sqlite/types.ts";
import type { Migration } from "./migrate.ts";

/** For an index that is emptied and filled again, never migrated, when its tables change. */
export const SHAPE: readonly Migration[] = [
  {
    id: 1,
    name: "shape",
    up: (db) => db.exec("CREATE TABLE shape (fingerprint TEXT NOT NULL); INSERT INTO shape VALUES ('')"),
  },
];

/**
 * Makes the tables of this schema. An index that has others, or that was filled when less was redacted, is emptied: what it
 * is derived from fills it again.
 */
export function shape(db: Database, schema: string): void {
  const wanted = fingerprint(`${schema} redaction ${REDACTION}`);
  const current = () => db.get<{ fingerprint: string }>("SELECT fingerprint FROM shape")?.fingerprint;
  if (current() === wanted) return;
  db.tx(() => {
    if (current() === wanted) return; // another process was faster
    const tables = db.all<{ name: string }>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'shape'",
    );
    for (const { name } of tables) db.exec(`DROP TABLE IF EXISTS "${name}"`);
    db.exec(schema);
    db.run("UPDATE shape SET fingerprint = ?", [wanted]);
  });
}
