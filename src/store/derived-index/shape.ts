import { fingerprint } from "../../base/fingerprint.ts";
import { REDACTION } from "../redact.ts";
import type { Database } from "../sqlite/types.ts";

/** For an index that is emptied and filled again, never migrated, when its tables change. */
export const SHAPE: readonly Migration[] = [
  {
    id: 1,
    name: "shape",
    up: (db) => db.exec("CREATE TABLE shape (fingerprint TEXT NOT NULL); INSERT INTO shape VALUES ('')"),
  },
];

/**
 * Tables that are filled from the other tables. If only their schema or the redaction changes, the other tables are
 * kept: whoever fills the derived tables redacts the others again.
 */
interface DerivedTables {
  readonly schema: string;
  /** Fingerprints of indexes from before there were derived tables, whose other tables are still the same. */
  readonly earlier: readonly string[];
}

/**
 * Creates the tables of this schema. Empties an index with other tables, and one without derived tables that was filled
 * with weaker redaction: it is then filled again from its files.
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

/** Whether an index with derived tables has these tables, regardless of the redaction it was filled with. */
function hasTables(found: string, schema: string): boolean {
  const [first = ""] = found.split(" ", 1);
  if (first === found) return false;
  return Array.from({ length: REDACTION }, (_, n) => withRedaction(schema, n + 1)).includes(first);
}

function tablesOf(schema: string): Set<string> {
  return new Set(Array.from(schema.matchAll(/CREATE TABLE (\w+)/g), ([, name = ""]) => name));
}

export interface Migration {
  /** 1, 2, 3, … without gaps, because `PRAGMA user_version` counts them. */
  readonly id: number;
  readonly name: string;
  up(db: Database): void;
}

/** "Cont" in ASCII: distinguishes Continuo's index from any other SQLite file at its path. */
const APPLICATION_ID = 0x436f6e74;

/** Migrates the index to the latest version and returns it. Several processes may do this at once. */
export function migrate(db: Database, migrations: readonly Migration[]): number {
  let version = userVersion(db);
  for (const { id, up } of migrations) {
    if (id <= version) continue;
    version = db.tx(() => {
      // Only inside the write lock is it certain that no other process has done this step.
      const current = userVersion(db);
      if (current >= id) return current;
      up(db);
      db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${id}`);
      return id;
    });
  }
  return version;
}

/** Why the file cannot be migrated, if so. Reads the header and the schema, and throws if they are damaged. */
export function whyForeign(db: Database, migrations: readonly Migration[]): string | undefined {
  const tables = db.get<{ n: number }>("SELECT count(*) AS n FROM sqlite_schema")?.n ?? 0;
  const application = db.get<{ application_id: number }>("PRAGMA application_id")?.application_id;
  if (tables > 0 && application !== APPLICATION_ID) return "it is not an index of continuo";
  return whyNewer(userVersion(db), migrations);
}

export function whyNewer(version: number, migrations: readonly Migration[]): string | undefined {
  const last = migrations.length;
  return version > last ? `its version ${version} is newer than ${last}, the last known` : undefined;
}

export function assertNumbered(migrations: readonly Migration[]): void {
  const wrong = migrations.find(({ id }, index) => id !== index + 1);
  if (wrong !== undefined)
    throw new Error(`migration "${wrong.name}" has id ${wrong.id}; they count 1, 2, 3, …`);
}

function userVersion(db: Database): number {
  return db.get<{ user_version: number }>("PRAGMA user_version")?.user_version ?? 0;
}
