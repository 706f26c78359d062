import type { Database } from "../../../store/sqlite/types.ts";
import type { SessionFilter } from "../library.ts";
import type { PastSession } from "../session.ts";
import { conditionOf, rowById, sessionOf } from "./rows.ts";
import { type StoredPassage, unitBefore, unitId } from "./units.ts";

/** What is needed of a session to sort a long list. */
export interface ListedSession {
  /** Its number in the index. */
  readonly row: number;
  readonly host: string;
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly modified: number;
  /** The session of the same host from which it originates. */
  readonly origin: string | null;
}

/** A session with its last request. */
export interface DetailedSession extends PastSession {
  /** Its number in the index. */
  readonly row: number;
  readonly lastRequest?: LastAsked;
}

export interface LastAsked {
  /** The beginning of the text, with secrets redacted. */
  readonly text: string;
  readonly at?: number;
}

/** Newest first. Read as one text, because rows would take twice as long. */
export function listSessions(db: Database, filter: SessionFilter): ListedSession[] {
  const { sql, params } = conditionOf(filter);
  const found = db.get<{ all: string }>(
    `SELECT json_group_array(json_array(id, host, sid, modified, origin)) AS "all" FROM (
       SELECT id, host, sid, modified, coalesce(parent, fork_of, continues) AS origin FROM session
       WHERE ${sql} ORDER BY modified DESC, id DESC)`,
    params,
  );
  const rows = JSON.parse(found?.all ?? "[]") as [number, string, string, number, string | null][];
  return rows.map(([row, host, id, modified, origin]) => ({ row, host, id, modified, origin }));
}

/** These rows, if they still exist, in the same order. */
export function detailsOf(db: Database, rows: readonly number[]): DetailedSession[] {
  return rows.flatMap((row) => {
    const found = rowById(db, row);
    if (found === undefined) return [];
    const lastRequest = lastAskedIn(db, row);
    return [{ ...sessionOf(found), row, ...(lastRequest && { lastRequest }) }];
  });
}

/**
 * The newest sessions whose name contains these letters, so that a name is found before its word is typed completely.
 */
export function namedLike(
  db: Database,
  letters: string,
  filter: SessionFilter,
  limit: number,
): DetailedSession[] {
  const { sql, params } = conditionOf({ ...filter, spoken: true });
  const like = `%${letters
    .trim()
    .slice(0, 100)
    .replace(/[\\%_]/g, "\\$&")}%`;
  const rows = db.all<{ id: number }>(
    `SELECT id FROM session WHERE ${sql} AND name LIKE ? ESCAPE '\\' ORDER BY modified DESC LIMIT ?`,
    [...params, like, limit],
  );
  return detailsOf(
    db,
    rows.map(({ id }) => id),
  );
}

/** How many units from the end are opened to find the last request: an agent may have worked on it for long. */
const MOST_UNITS = 4;

export function lastAskedIn(db: Database, session: number): LastAsked | undefined {
  let before = unitId(session + 1, 0);
  for (let count = 0; count < MOST_UNITS; count++) {
    const unit = unitBefore(db, session, before);
    if (unit === undefined) return undefined;
    const asked = lastAskedOf(unit.passages);
    if (asked !== undefined) return asked;
    before = unit.id;
  }
  return undefined;
}

/** A long request has several passages; its first one says what it is about. */
function lastAskedOf(passages: readonly StoredPassage[]): LastAsked | undefined {
  const last = passages.findLast(([, kind]) => kind === "u");
  const first = last && passages.find(([turn, kind]) => kind === "u" && turn === last[0]);
  if (first === undefined) return undefined;
  const [, , time, text] = first;
  return { text, ...(time === null ? {} : { at: time }) };
}

/** How many sessions have each value, most frequent first. */
export interface Facets {
  readonly hosts: readonly Facet[];
  readonly projects: readonly Facet[];
  readonly branches: readonly Facet[];
}

interface Facet {
  readonly value: string;
  readonly label: string;
  readonly count: number;
}

const MOST_FACETS = 200;

export function facetsOf(db: Database): Facets {
  const by = (value: string, label: string): Facet[] =>
    db.all<Facet>(
      `SELECT ${value} AS value, ${label} AS label, count(*) AS count FROM session
       WHERE ${value} IS NOT NULL AND is_child = 0 AND passages > 0
       GROUP BY ${value} ORDER BY max(modified) DESC LIMIT ${MOST_FACETS}`,
    );
  return {
    hosts: by("host", "host"),
    projects: by("project", "coalesce(label, project)"),
    branches: by("branch", "branch"),
  };
}

/** A text that changes with every change of the index, by any process. */
export function indexVersion(db: Database): string {
  const row = db.get<{ others: number; own: number }>(
    "SELECT (SELECT data_version FROM pragma_data_version) AS others, total_changes() AS own",
  );
  return `${row?.others}-${row?.own}`;
}
