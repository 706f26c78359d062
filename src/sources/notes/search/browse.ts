import type { Value } from "../../../store/sqlite/types.ts";
import { type DecaySettings, noteValue } from "../decay.ts";
import { pathOf } from "../note-index/apply.ts";
import type { MemoryIndex } from "../note-index/memory-index.ts";
import { conditionOf, type NoteFilter } from "./filter.ts";
import { type Relation, relationOf, type SeenFrom } from "./project-notes.ts";

/** `project`: the project's notes first, then by time. `use`: by use, recency and decay. */
export type BrowseOrder = "project" | "recent" | "use" | "title";

export interface BrowseQuery extends NoteFilter {
  readonly order: BrowseOrder;
  readonly offset: number;
  readonly limit: number;
  /** If set, each note includes its relation to this project. */
  readonly seenFrom?: SeenFrom | undefined;
}

export interface BrowsedNote {
  readonly uri: string;
  readonly title: string;
  readonly path: string;
  readonly modified: number;
  readonly created: number | undefined;
  readonly size: number;
  readonly tags: readonly string[];
  readonly project: string | undefined;
  readonly relation: Relation | undefined;
  readonly problem: string | undefined;
}

export interface Browsed {
  readonly notes: readonly BrowsedNote[];
  /** The number of notes on all pages. */
  readonly total: number;
  /** How many of these belong to the project. */
  readonly own: number;
}

/** How often a note was recently read, for the order by use. */
interface Use {
  readonly now: number;
  readonly decay: DecaySettings;
  readonly lastRead: (uri: string) => number | undefined;
}

interface Row {
  readonly uri: string;
  readonly title: string;
  readonly name: string;
  readonly folder: string;
  readonly modified: number;
  readonly created: number | null;
  readonly size: number;
  readonly tags: string | null;
  readonly project: string | null;
  readonly relation: Relation | null;
  readonly problem: string | null;
}

interface Sorted {
  readonly note: BrowsedNote;
  readonly value: number;
}

/** One page of all matching notes, from all roots. */
export function browse(indexes: readonly MemoryIndex[], query: BrowseQuery, use: Use): Browsed {
  const { offset, limit, order } = query;
  const found = indexes.map((index) => browseOne(index, query, use, indexes.length === 1));
  const merged = found.flatMap(({ rows }) => rows).sort((a, b) => compare(order, a, b));
  const page = indexes.length === 1 ? merged : merged.slice(offset, offset + limit);
  return {
    notes: page.map(({ note }) => note),
    total: found.reduce((sum, { total }) => sum + total, 0),
    own: found.reduce((sum, { own }) => sum + own, 0),
  };
}

function browseOne(index: MemoryIndex, query: BrowseQuery, use: Use, isOnly: boolean) {
  const { offset, limit, order, seenFrom } = query;
  const condition = conditionOf(index, query);
  const relation =
    seenFrom === undefined ? { sql: "NULL", params: [] } : relationOf(index.db, seenFrom, index.files.root);
  const where = condition === undefined ? "" : `WHERE ${condition.sql}`;
  const params: Value[] = [...relation.params, ...(condition?.params ?? [])];
  const { total = 0, own = 0 } =
    index.db.get<{ total: number; own: number | null }>(
      `SELECT count(*) AS total, sum(${relation.sql} = 'own') AS own FROM note ${where}`,
      params,
    ) ?? {};
  const [from, most] = isOnly ? [offset, limit] : [0, offset + limit];
  const rows =
    order === "use" ? byUse(index, { where, params: condition?.params ?? [] }, use, from, most) : undefined;
  const select = `SELECT note.uri, note.title, note.name, folder.path AS folder, note.modified, note.created, note.size,
      note.tags, note.project, ${relation.sql} AS relation, note.problem
    FROM note JOIN folder ON folder.id = note.folder`;
  const all =
    rows === undefined
      ? index.db.all<Row>(`${select} ${where} ORDER BY ${ORDERS[order]} LIMIT ? OFFSET ?`, [
          ...params,
          most,
          from,
        ])
      : index.db.all<Row>(`${select} WHERE note.uri IN (SELECT value FROM json_each(?))`, [
          ...relation.params,
          JSON.stringify([...rows.keys()]),
        ]);
  return {
    total,
    own: own ?? 0,
    rows: all.map((row): Sorted => ({ note: noteOf(index, row), value: rows?.get(row.uri) ?? 0 })),
  };
}

const ORDERS: Readonly<Record<BrowseOrder, string>> = {
  project: "coalesce(relation, '') <> 'own', note.modified DESC, note.uri",
  recent: "note.modified DESC, note.uri",
  use: "note.uri",
  title: "note.title COLLATE NOCASE, note.uri",
};

function byUse(
  { db }: MemoryIndex,
  { where, params }: { readonly where: string; readonly params: readonly Value[] },
  { now, decay, lastRead }: Use,
  from: number,
  most: number,
): Map<string, number> {
  const notes = db.all<{ uri: string; modified: number }>(`SELECT uri, modified FROM note ${where}`, [
    ...params,
  ]);
  const valued = notes.map((note): [string, number] => [
    note.uri,
    noteValue(note, lastRead(note.uri), now, decay),
  ]);
  return new Map(valued.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(from, from + most));
}

function compare(order: BrowseOrder, a: Sorted, b: Sorted): number {
  const byUri = a.note.uri < b.note.uri ? -1 : 1;
  if (order === "use") return b.value - a.value || byUri;
  if (order === "title") {
    const [x, y] = [a.note.title.toLowerCase(), b.note.title.toLowerCase()];
    return x < y ? -1 : x > y ? 1 : byUri;
  }
  const own = order === "project" ? rankOf(a) - rankOf(b) : 0;
  return own || b.note.modified - a.note.modified || byUri;
}

const rankOf = ({ note }: Sorted): number => (note.relation === "own" ? 0 : 1);

function noteOf(index: MemoryIndex, { name, folder, ...row }: Row): BrowsedNote {
  return {
    ...row,
    path: pathOf(index, folder, name),
    created: row.created ?? undefined,
    project: row.project ?? undefined,
    relation: row.relation ?? undefined,
    problem: row.problem ?? undefined,
    tags: row.tags === null ? [] : (JSON.parse(row.tags) as string[]),
  };
}

/** What a list can be filtered by, each with its number of notes. */
interface Facets {
  readonly folders: readonly Facet[];
  readonly tags: readonly Facet[];
  readonly projects: readonly Facet[];
}

export interface Facet {
  readonly name: string;
  readonly notes: number;
}

const MOST_FACETS = 200;

/** The facets of one root. */
export function facetsOf({ db }: MemoryIndex): Facets {
  const list = (sql: string): Facet[] => db.all<Facet>(`${sql} LIMIT ${MOST_FACETS}`);
  return {
    folders: list(
      "SELECT path AS name, count(*) AS notes FROM note JOIN folder ON folder.id = note.folder GROUP BY path ORDER BY path",
    ),
    tags: list(
      "SELECT value AS name, count(*) AS notes FROM note, json_each(note.tags) GROUP BY value COLLATE NOCASE ORDER BY 2 DESC, 1",
    ),
    projects: list(
      "SELECT project AS name, count(*) AS notes FROM note WHERE project IS NOT NULL GROUP BY project COLLATE NOCASE ORDER BY 2 DESC, 1",
    ),
  };
}
