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

/** Tables that are filled from the others. When only they change, the others are kept. */
export interface DerivedTables {
  readonly schema: string;
  /** The shapes of indexes, made before there were derived tables, whose other tables are those of today. */
  readonly earlier: readonly { readonly fingerprint: string; readonly redaction: number }[];
}

/**
 * Makes the tables of this schema. An index that has others, or that was filled when less was redacted, is emptied: what it
 * is derived from fills it again.
 */
export function shape(db: Database, schema: string, derived?: DerivedTables): void {
  const first = fingerprint(`${schema} redaction ${REDACTION}`);
  const wanted = derived === undefined ? first : `${first} ${fingerprint(derived.schema)}`;
  const current = () => db.get<{ fingerprint: string }>("SELECT fingerprint FROM shape")?.fingerprint ?? "";
  if (current() === wanted) return;
  db.tx(() => {
    const found = current();
    if (found === wanted) return; // another process was faster
    const isKept = derived !== undefined && (found.startsWith(`${first} `) || isEarlier(found, derived));
    const kept = isKept ? tablesOf(schema) : new Set<string>();
    const tables = db.all<{ name: string }>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'shape'",
    );
    for (const { name } of tables) if (!kept.has(name)) db.exec(`DROP TABLE IF EXISTS "${name}"`);
    if (!isKept) db.exec(schema);
    if (derived !== undefined) db.exec(derived.schema);
    db.run("UPDATE shape SET fingerprint = ?", [wanted]);
  });
}

function isEarlier(found: string, { earlier }: DerivedTables): boolean {
  return earlier.some((one) => one.fingerprint === found && one.redaction === REDACTION);
}

function tablesOf(schema: string): Set<string> {
  return new Set(Array.from(schema.matchAll(/CREATE TABLE (\w+)/g), ([, name = ""]) => name));
}
