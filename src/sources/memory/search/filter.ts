import type { Database, Value } from "../../../store/sqlite/types.ts";

/** Which notes are searched. */
export interface NoteFilter {
  /** A path below the root: `decisions/2026`. */
  readonly folder?: string;
  /** A note must have all of them. */
  readonly tags?: readonly string[];
  /** A note belongs to a project when its frontmatter, a tag, or a folder above it has the name of the project. */
  readonly project?: string;
  /** Changed at or after `since` and before `until`, in milliseconds since 1970. */
  readonly since?: number;
  readonly until?: number;
}

export interface Condition {
  /** For the `WHERE` of a query on the table `note`. */
  readonly sql: string;
  readonly params: readonly Value[];
}

export function conditionOf(filter: NoteFilter): Condition | undefined {
  const parts: Condition[] = [];
  if (filter.folder !== undefined && trimmed(filter.folder) !== "")
    parts.push(inFolder(trimmed(filter.folder)));
  for (const tag of filter.tags ?? []) parts.push(hasTag(tag));
  if (filter.project !== undefined) parts.push(ofProject(filter.project));
  if (filter.since !== undefined) parts.push({ sql: "note.modified >= ?", params: [filter.since] });
  if (filter.until !== undefined) parts.push({ sql: "note.modified < ?", params: [filter.until] });
  if (parts.length === 0) return undefined;
  return {
    sql: parts.map(({ sql }) => `(${sql})`).join(" AND "),
    params: parts.flatMap(({ params }) => params),
  };
}

/** The ids of the notes that pass the filter; undefined when all do. Read as one JSON text: a row for each would take ten times as long. */
export function idsOf(db: Database, filter: NoteFilter): ReadonlySet<number> | undefined {
  const condition = conditionOf(filter);
  if (condition === undefined) return undefined;
  const row = db.get<{ ids: string }>(
    `SELECT json_group_array(note.id) AS ids FROM note WHERE ${condition.sql}`,
    condition.params,
  );
  return new Set(JSON.parse(row?.ids ?? "[]") as number[]);
}

const trimmed = (folder: string): string =>
  folder
    .replace(/^memory:\/\//, "")
    .split(/[\\/]+/)
    .filter((name) => name !== "")
    .join("/");

function inFolder(folder: string): Condition {
  return {
    sql: "note.folder IN (SELECT id FROM folder WHERE path = ? COLLATE NOCASE OR path LIKE ? ESCAPE '\\')",
    params: [folder, `${likeText(folder)}/%`],
  };
}

function hasTag(tag: string): Condition {
  return {
    sql: "EXISTS (SELECT 1 FROM json_each(note.tags) WHERE value = ? COLLATE NOCASE)",
    params: [tag.replace(/^#/, "")],
  };
}

function ofProject(project: string): Condition {
  const tag = hasTag(project);
  return {
    sql: `note.project = ? COLLATE NOCASE OR ${tag.sql}
      OR note.folder IN (SELECT id FROM folder WHERE '/' || path || '/' LIKE ? ESCAPE '\\')`,
    params: [project, ...tag.params, `%/${likeText(project)}/%`],
  };
}

/** Whether a note belongs to a project; `unknown` if it names none. */
export type Relation = "own" | "other" | "unknown";

export function relationTo(db: Database, note: number, project: string): Relation {
  const { sql, params } = ofProject(project);
  const row = db.get<{ own: number; project: string | null }>(
    `SELECT (${sql}) AS own, note.project FROM note WHERE note.id = ?`,
    [...params, note],
  );
  if (row?.own === 1) return "own";
  return row?.project == null ? "unknown" : "other";
}

const likeText = (text: string): string => text.replace(/[\\%_]/g, "\\$&");
