import type { Database } from "./types.ts";

/** Differs after any write: the first number changes with writes of others, the second with those of this connection. */
export function versionOf(db: Database): string {
  const row = db.get<{ others: number; own: number }>(
    "SELECT data_version AS others, total_changes() AS own FROM pragma_data_version",
  );
  return `${row?.others} ${row?.own}`;
}
