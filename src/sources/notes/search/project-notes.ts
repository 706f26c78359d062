import { statSync } from "node:fs";
import { quoteLine } from "../../../compose/escape.ts";
import type { KnownProject } from "../../../moments/project/known-project.ts";
import { folderOf } from "../../../store/project-settings.ts";
import type { Database, Value } from "../../../store/sqlite/types.ts";

/** How a note relates to a project: `global` notes state that they belong to none, `unknown` ones state nothing. */
export type Relation = "own" | "other" | "global" | "unknown";

/** The project from which notes are searched. */
export interface SeenFrom extends Pick<KnownProject, "name" | "names" | "identities" | "root"> {
  readonly env: NodeJS.ProcessEnv;
  /** Called with each folder whose existence decides which notes belong to the project. */
  readonly onChecked?: (folder: string) => void;
}

/** An expression or a condition on the table `note`. */
export interface Condition {
  readonly sql: string;
  readonly params: readonly Value[];
}

/** In the frontmatter: the note deliberately belongs to no project. */
export const NO_PROJECT = "none";

/**
 * Names of folders and tags that any project may use. A project with such a name is recognised in a note's `project`,
 * where its author wrote it on purpose, but not in tags, folders and file names.
 */
const COMMON = new Set(
  (
    "app apps api web www site website server client frontend backend core common shared lib libs src code dev docs doc " +
    "test tests demo example examples main master tools utils scripts project projects work notes note memory thinking " +
    "tmp temp new old home user data config build dist package packages plugin service services other misc archive"
  ).split(" "),
);
const SHORTEST = 3;

/** The names that identify this project wherever they occur. */
export function distinctNames(names: readonly string[]): string[] {
  return names.filter((name) => name.length >= SHORTEST && !COMMON.has(name.toLowerCase()));
}

/**
 * A quick test for texts that contain one of the names. Names often contain each other, and then one test is enough for
 * all of them.
 */
export function mayName(what: string, names: readonly string[]): Condition {
  const short = names.filter((name) => !names.some((other) => other !== name && name.includes(other)));
  return {
    sql: `(${short.map(() => `${what} LIKE ? ESCAPE '\\'`).join(" OR ")})`,
    params: short.map((name) => `%${likeText(name)}%`),
  };
}

/**
 * The relation of a note to this project, as an SQL expression. A project id alone decides; otherwise `project` does;
 * otherwise tags, folders and the file's name. An id that is a folder which no longer exists is not evidence, because
 * the project was moved, or the note is from another machine. Then its name counts.
 */
export function relationOf(db: Database, seen: SeenFrom, notesAt: string): Condition {
  const gone = goneIdentities(db, seen);
  const own = ownIdentity(seen);
  const names = inList("note.project COLLATE NOCASE", seen.names);
  const goneId = inList("note.project_id", gone);
  const where = placeRelation(notesAt, seen.root);
  const named = where === undefined ? namedByPlace(seen.names) : { sql: "0", params: [] };
  return {
    sql: `CASE
      WHEN note.project_id IS NULL AND note.project = '${NO_PROJECT}' COLLATE NOCASE THEN 'global'
      WHEN note.project_id IS NOT NULL AND (${own.sql}) THEN 'own'
      WHEN note.project_id IS NOT NULL AND NOT (${goneId.sql}) THEN 'other'
      WHEN note.project IS NOT NULL THEN CASE WHEN ${names.sql} THEN 'own' ELSE 'other' END
      WHEN ${named.sql} THEN 'own'
      ELSE '${where ?? "unknown"}' END`,
    params: [own, goneId, names, named].flatMap(({ params }) => params),
  };
}

/** The relations of these notes, by number. */
export function relationsOf(
  db: Database,
  seen: SeenFrom,
  notesAt: string,
  notes: readonly number[],
): ReadonlyMap<number, Relation> {
  const { sql, params } = relationOf(db, seen, notesAt);
  const rows = db.all<{ id: number; relation: Relation }>(
    `SELECT note.id, ${sql} AS relation FROM note WHERE note.id IN (SELECT value FROM json_each(?))`,
    [...params, JSON.stringify(notes)],
  );
  return new Map(rows.map(({ id, relation }) => [id, relation]));
}

/** One of the user's aliases may omit the host: `acme/shop`. */
function ownIdentity({ identities }: SeenFrom): Condition {
  const exact = inList("note.project_id", identities);
  const ends = identities.filter((one) => /^[^/~]+\/[^/]+$/.test(one));
  return {
    sql: [exact.sql, ...ends.map(() => "note.project_id LIKE ? ESCAPE '\\'")].join(" OR "),
    params: [...exact.params, ...ends.map((one) => `%/${likeText(one)}`)],
  };
}

/** More folders than any machine has. Each one costs a `stat`. */
const MAX_CHECKED = 20;

/** From notes with this project's name: ids that are folders which do not exist. */
function goneIdentities(db: Database, seen: SeenFrom): string[] {
  const named = inList("project COLLATE NOCASE", seen.names);
  const own = new Set(seen.identities);
  return db
    .all<{ id: string }>(
      `SELECT DISTINCT project_id AS id FROM note
       WHERE project IS NOT NULL AND project_id IS NOT NULL AND ${named.sql} LIMIT ?`,
      [...named.params, MAX_CHECKED],
    )
    .map(({ id }) => id)
    .filter((id) => !own.has(id) && isGone(id, seen));
}

function isGone(id: string, { env, onChecked }: SeenFrom): boolean {
  // Checking a network path could block.
  const folder = /^[\\/]{2}/.test(id) ? undefined : folderOf(id, env);
  if (folder === undefined) return false;
  onChecked?.(folder);
  try {
    return statSync(folder, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false; // it may exist
  }
}

/** Matches a tag, a folder above the note, or the name of its file. */
function namedByPlace(names: readonly string[]): Condition {
  const distinct = distinctNames(names);
  if (distinct.length === 0) return { sql: "0", params: [] };
  // The tags are JSON, with each tag in quotes. Parsing the JSON of every note would take most of the time.
  const tags = distinct.map((name) => `%${likeText(JSON.stringify(name))}%`);
  const quick = mayName("note.tags", distinct);
  const like = (what: string) => distinct.map(() => `${what} LIKE ? ESCAPE '\\'`).join(" OR ");
  const file = inList(
    "note.name COLLATE NOCASE",
    distinct.map((name) => `${name}.md`),
  );
  return {
    sql: `(note.tags IS NOT NULL AND ${quick.sql} AND (${like("note.tags")}))
      OR note.folder IN (SELECT id FROM folder WHERE ${like("'/' || path || '/'")}) OR ${file.sql}`,
    params: [...quick.params, ...tags, ...distinct.map((name) => `%/${likeText(name)}/%`), ...file.params],
  };
}

/** Matches the notes of a project that the user gave by name or identity, whatever else the notes say. */
export function ofNamedProject(name: string): Condition {
  return {
    sql: `note.project = ? COLLATE NOCASE OR note.project_id = ? COLLATE NOCASE OR note.project_id LIKE ? ESCAPE '\\'
      OR EXISTS (SELECT 1 FROM json_each(note.tags) WHERE value = ? COLLATE NOCASE)
      OR note.folder IN (SELECT id FROM folder WHERE '/' || path || '/' LIKE ? ESCAPE '\\')`,
    params: [name, name, `%/${likeText(name)}`, name, `%/${likeText(name)}/%`],
  };
}

/** `…/projects/<path of the project, with dashes>/memory`: Claude Code's own memory of one project. */
const CLAUDE_MEMORY = /[/\\]projects[/\\]([^/\\]+)[/\\]memory$/;

/** What the notes folder itself shows: it is inside the project, or it is Claude Code's memory of one project. */
function placeRelation(notesAt: string, root: string): "own" | "other" | undefined {
  const claude = CLAUDE_MEMORY.exec(notesAt)?.[1];
  if (claude !== undefined) return claude === root.replace(/[^A-Za-z0-9]/g, "-") ? "own" : "other";
  return notesAt === root || /^[\\/]/.test(notesAt.startsWith(root) ? notesAt.slice(root.length) : "")
    ? "own"
    : undefined;
}

function inList(expression: string, values: readonly string[]): Condition {
  if (values.length === 0) return { sql: "0", params: [] };
  return { sql: `${expression} IN (${values.map(() => "?").join(", ")})`, params: [...values] };
}

export const likeText = (text: string): string => text.replace(/[\\%_]/g, "\\$&");

/** Says if this project's notes were put first, and how to search without that. */
export function preferenceNotice(
  hits: readonly { readonly relation?: Relation }[],
  seen: SeenFrom | undefined,
  how: string,
): string[] {
  const isMixed =
    hits.some(({ relation }) => relation === "own") && hits.some(({ relation }) => relation !== "own");
  return seen !== undefined && isMixed ? [`Notes of ${quoteLine(seen.name)} are preferred; ${how}.`] : [];
}
