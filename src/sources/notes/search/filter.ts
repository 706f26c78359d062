import type { MemoryIndex } from "../note-index/memory-index.ts";
import { type Condition, likeText, ofNamedProject, relationOf, type SeenFrom } from "./project-notes.ts";

/** Which notes are searched. */
export interface NoteFilter {
  /** A path below the root: `decisions/2026`. */
  readonly folder?: string;
  /** A note must have all of them. */
  readonly tags?: readonly string[];
  /**
   * By name: notes that have it in the frontmatter, in a tag, or as a folder above them. Or the notes of a known
   * project.
   */
  readonly project?: string | SeenFrom;
  /** Changed at or after `since` and before `until`, in milliseconds since 1970. */
  readonly since?: number;
  readonly until?: number;
  /** Words in its title, each possibly as a part of a longer one. */
  readonly titled?: readonly string[];
}

type Place = Pick<MemoryIndex, "db" | "files">;

export function conditionOf(index: Place, filter: NoteFilter): Condition | undefined {
  const parts: Condition[] = [];
  if (filter.folder !== undefined && trimmed(filter.folder) !== "")
    parts.push(inFolder(trimmed(filter.folder)));
  for (const tag of filter.tags ?? []) parts.push(hasTag(tag));
  if (filter.project !== undefined) parts.push(ofProject(index, filter.project));
  if (filter.since !== undefined) parts.push({ sql: "note.modified >= ?", params: [filter.since] });
  if (filter.until !== undefined) parts.push({ sql: "note.modified < ?", params: [filter.until] });
  for (const word of filter.titled ?? [])
    parts.push({ sql: "note.title LIKE ? ESCAPE '\\'", params: [`%${likeText(word)}%`] });
  if (parts.length === 0) return undefined;
  return {
    sql: parts.map(({ sql }) => `(${sql})`).join(" AND "),
    params: parts.flatMap(({ params }) => params),
  };
}

/**
 * The ids of the matching notes; undefined if all match. Read as one JSON text, because a row for each would take ten
 * times as long.
 */
export function idsOf(index: Place, filter: NoteFilter): ReadonlySet<number> | undefined {
  const condition = conditionOf(index, filter);
  if (condition === undefined) return undefined;
  const row = index.db.get<{ ids: string }>(
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

function ofProject({ db, files }: Place, project: string | SeenFrom): Condition {
  if (typeof project === "string") return ofNamedProject(project);
  const { sql, params } = relationOf(db, project, files.root);
  return { sql: `${sql} = 'own'`, params };
}
