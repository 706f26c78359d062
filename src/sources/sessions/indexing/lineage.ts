import type { Database } from "../../../store/sqlite/types.ts";
import type { PastSession, SessionKey } from "../session.ts";
import { rowOf, type SessionRow, sessionOf } from "./rows.ts";

/** A chain longer than this, or one that comes back to itself, is a mistake in some file. */
const MOST = 50;

/** How a session comes from another one, and which that is; undefined for one that began by itself. */
export function originOf({ parent, forkOf, continues }: PastSession): Origin | undefined {
  if (parent !== undefined) return { how: "subagent of", id: parent };
  if (forkOf !== undefined) return { how: "fork of", id: forkOf };
  return continues === undefined ? undefined : { how: "continues", id: continues };
}

export interface Origin {
  readonly how: "subagent of" | "fork of" | "continues";
  /** Of a session that may not be known here. */
  readonly id: string;
}

/** Nearest first. */
export function ancestorsOf(db: Database, key: SessionKey): PastSession[] {
  const found: PastSession[] = [];
  const seen = new Set([key.id]);
  let row = rowOf(db, key);
  while (row !== undefined && found.length < MOST) {
    const id = row.parent ?? row.fork_of ?? row.continues;
    if (id === null || seen.has(id)) break;
    seen.add(id);
    row = rowOf(db, { host: row.host, id });
    if (row !== undefined) found.push(sessionOf(row));
  }
  return found;
}

/** Its subagents' sessions, its forks and those that go on with it, the newest first; not theirs in turn. */
export function descendantsOf(db: Database, { host, id }: SessionKey): PastSession[] {
  const ids = db.all<Pick<SessionRow, "sid">>(
    "SELECT sid FROM session WHERE host = $host AND (parent = $id OR fork_of = $id OR continues = $id) ORDER BY modified DESC",
    { host, id },
  );
  return ids.flatMap(({ sid }) => {
    const row = sid === id ? undefined : rowOf(db, { host, id: sid });
    return row === undefined ? [] : [sessionOf(row)];
  });
}
