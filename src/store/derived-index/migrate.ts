import type { Database } from "../sqlite/types.ts";

export interface Migration {
  /** 1, 2, 3, … without gaps: `PRAGMA user_version` counts them. */
  readonly id: number;
  readonly name: string;
  up(db: Database): void;
}

/** "Cont" in ASCII: tells our index from any other SQLite file that ended up at its path. */
const APPLICATION_ID = 0x436f6e74;

/** Brings the index to the last migration and returns its version. Several processes may do this at once. */
export function migrate(db: Database, migrations: readonly Migration[]): number {
  let version = userVersion(db);
  for (const { id, up } of migrations) {
    if (id <= version) continue;
    version = db.tx(() => {
      // Inside the write lock, and only here, is it certain that no other process has done this step.
      const current = userVersion(db);
      if (current >= id) return current;
      up(db);
      db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${id}`);
      return id;
    });
  }
  return version;
}

/** Why the file cannot be migrated, or undefined: reads the header and the schema, so damage there throws. */
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
