import type { Database } from "../../../store/sqlite/types.ts";
import { parseJson } from "../../shared/history/fields.ts";
import type { Tally } from "../../shared/history/tally.ts";
import type { Message } from "./parser.ts";

/**
 * What is read from OpenCode's database: sessions, messages and their parts. Other tables contain accounts and
 * credentials, and are never read.
 */
export interface SessionRow {
  readonly id: string;
  readonly parent_id: string | null;
  readonly directory: string;
  readonly title: string;
  readonly time_created: number;
  readonly time_updated: number;
  readonly messages: number;
}

const SESSIONS = `
  SELECT s.id, s.parent_id, s.directory, s.title, s.time_created, s.time_updated,
         (SELECT count(*) FROM message m WHERE m.session_id = s.id) AS messages
  FROM session s`;

export function allSessions(db: Database): SessionRow[] {
  return db.all<SessionRow>(`${SESSIONS} ORDER BY s.time_created`);
}

/** Ids and folders of the most recently changed sessions, without subagents. Does not count messages, which is slow. */
export function latestSessions(db: Database, most: number): { id: string; directory: string }[] {
  return db.all(
    "SELECT id, directory FROM session WHERE parent_id IS NULL ORDER BY time_updated DESC LIMIT ?",
    [most],
  );
}

/** Of the last `most` messages that were created before `before`, the creation time of the first. */
export function tailOf(db: Database, session: string, most: number, before: number): number {
  const row = db.get<{ at: number }>(
    `SELECT time_created AS at FROM message WHERE session_id = ? AND time_created < ?
     ORDER BY time_created DESC, id DESC LIMIT 1 OFFSET ?`,
    [session, before, most - 1],
  );
  return row?.at ?? 0;
}

export function sessionOf(db: Database, id: string): SessionRow | undefined {
  return db.get<SessionRow>(`${SESSIONS} WHERE s.id = ?`, [id]);
}

/**
 * The origin of a fork. The host does not store it, but copies messages with their times: the origin is the first
 * session with a message of the same time as the last copied one.
 */
export function originOf(db: Database, { id, time_created }: SessionRow): string | undefined {
  const last = db.get<{ at: number | null }>(
    "SELECT max(time_created) AS at FROM message WHERE session_id = ? AND time_created < ?",
    [id, time_created],
  )?.at;
  if (last === null || last === undefined) return undefined;
  return db.get<{ id: string }>(
    `SELECT id FROM session s WHERE id <> ? AND time_created <= ?
       AND EXISTS (SELECT 1 FROM message m WHERE m.session_id = s.id AND m.time_created = ?)
     ORDER BY time_created, id LIMIT 1`,
    [id, time_created, last],
  )?.id;
}

/** How many messages are loaded at a time. */
const PAGE = 20;

interface Row {
  readonly id: string;
  readonly time_created: number;
  readonly data: string | null;
}

/** In the host's order, page by page, so that a long session is never in memory as a whole. */
export function* messagesOf(
  db: Database,
  session: string,
  { from, before }: { readonly from: number; readonly before: number },
  maxBytes: number,
  tally: Tally,
): Generator<Message> {
  let after: { time: number; id: string } = { time: from, id: "" };
  for (;;) {
    const rows = db.all<Row>(
      `SELECT id, time_created, iif(length(data) > ?, NULL, data) AS data FROM message
       WHERE session_id = ? AND (time_created, id) > (?, ?) AND time_created < ? ORDER BY time_created, id LIMIT ${PAGE}`,
      [maxBytes, session, after.time, after.id, before],
    );
    for (const row of rows) {
      const data = entryOf(row, tally);
      if (data !== undefined)
        yield { id: row.id, created: row.time_created, data, parts: partsOf(db, row.id, maxBytes, tally) };
      after = { time: row.time_created, id: row.id };
    }
    if (rows.length < PAGE) return;
  }
}

function partsOf(db: Database, message: string, maxBytes: number, tally: Tally): Record<string, unknown>[] {
  const rows = db.all<Row>(
    `SELECT id, time_created, iif(length(data) > ?, NULL, data) AS data FROM part WHERE message_id = ? ORDER BY id`,
    [maxBytes, message],
  );
  return rows.flatMap((row) => {
    const data = entryOf(row, tally);
    return data === undefined ? [] : [{ ...data, id: row.id }];
  });
}

/** Counts only unusable rows; the caller knows the types of the others and counts them. */
function entryOf(row: Row, tally: Tally): Record<string, unknown> | undefined {
  const data = row.data === null ? undefined : parseJson(row.data);
  if (data !== undefined) return data;
  tally.line();
  if (row.data === null) tally.oversized(row.time_created);
  else tally.damaged(row.time_created);
  return undefined;
}
