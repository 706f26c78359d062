import type { Database, Value } from "../../../store/sqlite/types.ts";
import type { SessionFilter } from "../library.ts";
import type { NamedBy, PastSession, SessionKey } from "../session.ts";

export interface SessionRow {
  readonly id: number;
  readonly host: string;
  readonly sid: string;
  readonly project: string | null;
  readonly label: string | null;
  readonly cwd: string | null;
  readonly branch: string | null;
  readonly name: string;
  readonly named_by: NamedBy;
  readonly started: number;
  readonly modified: number;
  readonly parent: string | null;
  readonly fork_of: string | null;
  readonly continues: string | null;
  readonly is_child: number;
  readonly first_turn: number | null;
  readonly last_turn: string | null;
  readonly turns: number;
  readonly prompts: number;
  readonly compactions: number;
  readonly passages: number;
  readonly is_gone: number;
  readonly path: string | null;
  readonly size: number | null;
}

const SELECT = `SELECT session.*, (SELECT path FROM transcript WHERE session = session.id ORDER BY path DESC LIMIT 1) AS path,
  (SELECT sum(size) FROM transcript WHERE session = session.id) AS size FROM session`;

export function sessionOf(row: SessionRow): PastSession {
  const optional = {
    project: row.project,
    label: row.label,
    cwd: row.cwd,
    branch: row.branch,
    parent: row.parent,
    forkOf: row.fork_of,
    continues: row.continues,
  };
  const { turns, prompts, passages, compactions } = row;
  return {
    host: row.host,
    id: row.sid,
    ...(Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== null)) as object),
    name: row.name,
    namedBy: row.named_by,
    started: row.started,
    modified: row.modified,
    size: row.size ?? 0,
    path: row.path ?? "",
    isGone: row.is_gone === 1,
    isChild: row.is_child === 1,
    counts: { turns, prompts, passages, compactions },
  };
}

export function rowOf(db: Database, { host, id }: SessionKey): SessionRow | undefined {
  return db.get<SessionRow>(`${SELECT} WHERE host = ? AND sid = ?`, [host, id]);
}

export function rowById(db: Database, id: number): SessionRow | undefined {
  return db.get<SessionRow>(`${SELECT} WHERE id = ?`, [id]);
}

/** The newest first. */
export function rowsOf(db: Database, filter: SessionFilter, limit = -1): SessionRow[] {
  const { sql, params } = conditionOf(filter);
  return db.all<SessionRow>(`${SELECT} WHERE ${sql} ORDER BY modified DESC, id DESC LIMIT ?`, [
    ...params,
    limit,
  ]);
}

/** Row ids of the selected sessions. */
export function idsOf(db: Database, filter: SessionFilter): ReadonlySet<number> {
  const { sql, params } = conditionOf(filter);
  const row = db.get<{ ids: string }>(`SELECT json_group_array(id) AS ids FROM session WHERE ${sql}`, params);
  return new Set(JSON.parse(row?.ids ?? "[]") as number[]);
}

export function conditionOf(filter: SessionFilter): { sql: string; params: Value[] } {
  const parts = ["1"];
  const params: Value[] = [];
  const add = (sql: string, ...values: Value[]): void => {
    parts.push(`(${sql})`);
    params.push(...values);
  };
  if (filter.children !== true) add("is_child = 0");
  if (filter.spoken === true) add("passages > 0");
  if (filter.host !== undefined) add("host = ?", filter.host);
  const { project } = filter;
  if (typeof project === "string")
    add("project = ? OR label = ? COLLATE NOCASE OR cwd = ?", project, project, project);
  else if (project !== undefined) add(`project IN (${project.map(() => "?").join(", ")})`, ...project);
  if (filter.except !== undefined) add("sid <> ?", filter.except);
  if (filter.branch !== undefined) add("branch = ? COLLATE NOCASE", filter.branch);
  if (filter.since !== undefined) add("modified >= ?", filter.since);
  if (filter.until !== undefined) add("started < ?", filter.until);
  for (const word of filter.named ?? [])
    add("name LIKE ? ESCAPE '\\'", `%${word.replace(/[\\%_]/g, "\\$&")}%`);
  if (filter.file !== undefined) {
    const file = filter.file.replaceAll("\\", "/").replace(/^\.\//, "");
    add(
      `id IN (SELECT session FROM touched JOIN path ON path.id = touched.path
        WHERE path.path = ? OR path.path LIKE ? ESCAPE '\\')`,
      file,
      `%/${file.replace(/[\\%_]/g, "\\$&")}`,
    );
  }
  return { sql: parts.join(" AND "), params };
}
