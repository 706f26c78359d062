import type { Database } from "../../store/sqlite/types.ts";
import { READERS } from "../../transcripts/readers.ts";
import type { Turn } from "../../transcripts/turn.ts";
import { rowOf } from "./rows.ts";
import type { SessionKey } from "./session.ts";

/** From the transcripts themselves, in the order in which the host began them; a turn that is repeated comes once. */
export function* turnsOf(db: Database, key: SessionKey): Generator<Turn> {
  const row = rowOf(db, key);
  if (row === undefined) return;
  const files = db.all<{ path: string; key: string }>(
    "SELECT path, key FROM transcript WHERE session = ? ORDER BY path",
    [row.id],
  );
  const seen = new Set<string>();
  for (const { path, key: inside } of files) {
    const file = {
      host: key.host,
      id: key.id,
      path,
      modified: row.modified,
      size: row.size ?? 0,
      ...(inside === "" ? {} : { key: inside }),
      ...(row.cwd === null ? {} : { cwd: row.cwd }),
    };
    for (const turn of READERS[key.host].read(file)) {
      if (files.length > 1 && seen.has(turn.id)) continue;
      seen.add(turn.id);
      yield turn;
    }
  }
}
