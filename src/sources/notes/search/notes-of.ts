import type { Value } from "../../../store/sqlite/types.ts";
import { normaliseConcept } from "../files/wikilinks.ts";
import { pathOf } from "../note-index/apply.ts";
import type { MemoryIndex } from "../note-index/memory-index.ts";
import {
  type Condition,
  distinctNames,
  likeText,
  mayName,
  relationOf,
  type SeenFrom,
} from "./project-notes.ts";
import { KINDS } from "./recent.ts";

/** A note of a project, or one that may concern it. */
export interface ProjectNote {
  readonly uri: string;
  readonly title: string;
  readonly path: string;
  readonly modified: number;
  /** `named`: does not state its project, but links to one of its names or contains it in the title. */
  readonly relation: "own" | "named" | "global";
  readonly tags: readonly string[];
}

interface Row extends Omit<ProjectNote, "path" | "tags"> {
  readonly name: string;
  readonly folder: string;
  readonly tags: string | null;
}

/** The newest notes of a project, and global ones of any age, plus those at `also`. At most `limit` of each kind. */
export function notesOf(
  index: MemoryIndex,
  seen: SeenFrom,
  limit: number,
  also: readonly string[],
): ProjectNote[] {
  const relation = relationOf(index.db, seen, index.files.root);
  const named = namesIt(seen);
  const related = `CASE (${relation.sql}) WHEN 'own' THEN 'own' WHEN 'global' THEN 'global'
    WHEN 'unknown' THEN CASE WHEN ${named.sql} THEN 'named' END END`;
  const params: Value[] = [...relation.params, ...named.params, limit, JSON.stringify(also)];
  return index.db
    .all<Row>(
      `WITH related AS (
         SELECT uri, title, name, folder, modified, tags, ${related} AS relation
         FROM note WHERE folder IN (SELECT id FROM folder WHERE ${KINDS.memory})),
       numbered AS (
         SELECT *, row_number() OVER (PARTITION BY relation ORDER BY modified DESC, uri) AS place
         FROM related WHERE relation IS NOT NULL)
       SELECT uri, title, name, folder.path AS folder, numbered.modified, tags, relation
       FROM numbered JOIN folder ON folder.id = numbered.folder
       WHERE place <= ? OR uri IN (SELECT value FROM json_each(?))`,
      params,
    )
    .map(({ name, folder, tags, ...row }) => ({
      ...row,
      path: pathOf(index, folder, name),
      tags: tags === null ? [] : (JSON.parse(tags) as string[]),
    }));
}

/** Matches a link to one of the names, or a title that contains the whole name as separate words. */
function namesIt({ names }: SeenFrom): Condition {
  const distinct = distinctNames(names);
  if (distinct.length === 0) return { sql: "0", params: [] };
  const quick = mayName("note.title", distinct);
  const words = "' ' || replace(replace(replace(note.title, ':', ' '), ',', ' '), '.', ' ') || ' '";
  return {
    sql: `note.id IN (SELECT mention.note FROM mention JOIN concept ON concept.id = mention.concept
        WHERE concept.name IN (${distinct.map(() => "?").join(", ")}))
      OR (${quick.sql} AND (${distinct.map(() => `${words} LIKE ? ESCAPE '\\'`).join(" OR ")}))`,
    params: [
      ...distinct.map(normaliseConcept),
      ...quick.params,
      ...distinct.map((name) => `% ${likeText(name)} %`),
    ],
  };
}
