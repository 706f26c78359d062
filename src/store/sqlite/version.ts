import type { Database } from "./types.ts";

/** Changes with every write: the first number with writes by others, the second with those of this connection. */
export function versionOf(db: Database): string {
  const row = db.get<{ others: number; own: number }>(
    "SELECT data_version AS others, total_changes() AS own FROM pragma_data_version",
  );
  return `${row?.others} ${row?.own}`;
}
