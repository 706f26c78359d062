import type { Database } from "../../store/sqlite/types.ts";
import { rowOf, type SessionRow, sessionOf } from "./rows.ts";
import type { PastSession, SessionKey } from "./session.ts";

/** A chain longer than this, or one that comes back to itself, is a mistake in some file. */
const MOST = 50;

/** Nearest first. */
export function ancestorsOf(db: Database, key: SessionKey): PastSession[] {
  const found: PastSession[] = [];
  const seen = new Set([key.id]);
  let row = rowOf(db, key);
  while (row !== undefined && found.length < MOST) {
    const id = row.parent ?? row.fork_of;
    if (id === null || seen.has(id)) break;
    seen.add(id);
    row = rowOf(db, { host: row.host, id });
    if (row !== undefined) found.push(sessionOf(row));
  }
  return found;
}

/** Its subagents' sessions and its forks, the newest first; not theirs in turn. */
export function descendantsOf(db: Database, { host, id }: SessionKey): PastSession[] {
  const ids = db.all<Pick<SessionRow, "sid">>(
    "SELECT sid FROM session WHERE host = ? AND (parent = ? OR fork_of = ?) ORDER BY modified DESC",
    [host, id, id],
  );
  return ids.flatMap(({ sid }) => {
    const row = sid === id ? undefined : rowOf(db, { host, id: sid });
    return row === undefined ? [] : [sessionOf(row)];
  });
}
