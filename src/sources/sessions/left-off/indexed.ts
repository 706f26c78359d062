import { statSync } from "node:fs";
import type { SessionFile } from "../../../moments/ports/history.ts";
import type { Home } from "../../../store/home.ts";
import { statFile } from "../../../store/read-file.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import { sessionsIndexPath } from "../indexing/index-path.ts";

/** A session of the project, from the index. */
export interface IndexedSession {
  readonly row: number;
  readonly host: string;
  readonly id: string;
  readonly name: string;
  readonly cwd: string | null;
  readonly modified: number;
  readonly path: string | null;
  readonly key: string | null;
}

const BUSY_MS = 50;

/**
 * Opens the index read-only: unlike `openSessions` it creates, upgrades and indexes nothing, because a starting session
 * is waiting. Undefined if there is none, or only an empty file that another process is just creating.
 */
export async function openToRead(home: Home): Promise<Database | undefined> {
  const path = sessionsIndexPath(home);
  // SQLite would wait forever at a pipe.
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  const { openDatabase } = await import("../../../store/sqlite/open.ts");
  const db = openDatabase(path, { readOnly: true, busyTimeoutMs: BUSY_MS });
  let hasTables = false;
  try {
    hasTables = db.get("SELECT 1 FROM sqlite_schema LIMIT 1") !== undefined;
  } finally {
    if (!hasTables) db.close();
  }
  return hasTables ? db : undefined;
}

/** The newest sessions of a project in which something was asked, newest first. */
export function indexedSessions(
  db: Database,
  ids: readonly string[],
  self: string,
  limit: number,
): IndexedSession[] {
  return db.all<IndexedSession>(
    `SELECT session.id AS row, session.host, sid AS id, name, cwd, session.modified, t.path, t.key FROM session
       LEFT JOIN transcript t ON t.id = (SELECT max(id) FROM transcript WHERE session = session.id)
     WHERE is_child = 0 AND session.prompts > 0 AND passages > 0 AND sid <> ?
       AND project IN (${ids.map(() => "?").join(", ")})
     ORDER BY session.modified DESC LIMIT ?`,
    [self, ...ids, limit],
  );
}

/** The files that a session edited, latest first. */
export function editedFiles(db: Database, row: number, limit: number): string[] {
  return db
    .all<{ path: string }>(
      `SELECT path.path FROM touched JOIN path ON path.id = touched.path
       WHERE session = ? AND edited = 1 ORDER BY at DESC LIMIT ?`,
      [row, limit],
    )
    .map(({ path }) => path);
}

/** Its transcript; undefined if that is gone. */
export function fileOf({ host, id, path, key, cwd }: IndexedSession): SessionFile | undefined {
  const found = path === null ? undefined : statFile(path);
  if (path === null || found === undefined) return undefined;
  return { host, id, path, ...found, ...(key ? { key } : {}), ...(cwd === null ? {} : { cwd }) };
}
