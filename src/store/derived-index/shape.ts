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
 * Tables that are filled from the others. When only they change, or more is redacted, the others are kept: whoever fills the
 * derived tables redacts the others again.
 */
interface DerivedTables {
  readonly schema: string;
  /** The shapes of indexes, made before there were derived tables, whose other tables are those of today. */
  readonly earlier: readonly string[];
}

/**
 * Makes the tables of this schema. An index that has others, or one without derived tables that was filled when less was
 * redacted, is emptied: what it is derived from fills it again.
 */
export function shape(db: Database, schema: string, derived?: DerivedTables): void {
  const first = withRedaction(schema, REDACTION);
  const wanted = derived === undefined ? first : `${first} ${fingerprint(derived.schema)}`;
  const current = () => db.get<{ fingerprint: string }>("SELECT fingerprint FROM shape")?.fingerprint ?? "";
  if (current() === wanted) return;
  db.tx(() => {
    const found = current();
    if (found === wanted) return; // another process was faster
    const isKept = derived !== undefined && (hasTables(found, schema) || derived.earlier.includes(found));
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

const withRedaction = (schema: string, redaction: number): string =>
  fingerprint(`${schema} redaction ${redaction}`);

/** Whether an index beside derived tables has these tables, whatever was redacted when it was filled. */
function hasTables(found: string, schema: string): boolean {
  const [first = ""] = found.split(" ", 1);
  if (first === found) return false;
  return Array.from({ length: REDACTION }, (_, n) => withRedaction(schema, n + 1)).includes(first);
}

function tablesOf(schema: string): Set<string> {
  return new Set(Array.from(schema.matchAll(/CREATE TABLE (\w+)/g), ([, name = ""]) => name));
}
