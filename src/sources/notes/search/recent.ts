import { sinceTimespan } from "../../../search/timespan.ts";
import type { Value } from "../../../store/sqlite/types.ts";
import { pathOf } from "../note-index/apply.ts";
import type { MemoryIndex } from "../note-index/memory-index.ts";
import { conditionOf, type NoteFilter } from "./filter.ts";

/** As in maenifold: thoughts and workflows, assumptions, and all other notes. */
export type ActivityKind = "thinking" | "memory" | "assumptions" | "all";

export interface RecentQuery extends NoteFilter {
  /** `24h`, `7d`, or .NET's `1.00:00:00` (default: all notes). */
  readonly timespan?: string;
  readonly limit?: number;
  readonly kind?: ActivityKind;
  readonly now?: number;
}

interface RecentNote {
  readonly uri: string;
  readonly title: string;
  readonly path: string;
  readonly modified: number;
  readonly created: number | undefined;
  readonly tags: readonly string[];
}

export type RecentNoteWithConcepts = RecentNote & { readonly concepts: readonly string[] };

interface Row {
  readonly uri: string;
  readonly title: string;
  readonly name: string;
  readonly folder: string;
  readonly modified: number;
  readonly created: number | null;
  readonly tags: string | null;
}

/** The most recently changed notes, newest first. */
export function recent(index: MemoryIndex, asked: RecentQuery = {}): RecentNote[] {
  const { limit = 10, kind = "all", now = Date.now(), timespan, ...filter } = asked;
  const since = timespan === undefined ? filter.since : sinceTimespan(timespan, now);
  const given = conditionOf(index, { ...filter, ...(since === undefined ? {} : { since }) });
  const parts = [KINDS[kind], given?.sql].filter((sql) => sql !== undefined);
  const params: Value[] = [...(given?.params ?? []), Math.max(0, Math.trunc(limit))];
  const rows = index.db.all<Row>(
    `SELECT note.uri, note.title, note.name, folder.path AS folder, note.modified, note.created, note.tags
     FROM note JOIN folder ON folder.id = note.folder
     ${parts.length === 0 ? "" : `WHERE ${parts.map((sql) => `(${sql})`).join(" AND ")}`}
     ORDER BY note.modified DESC, note.uri LIMIT ?`,
    params,
  );
  return rows.map(({ uri, title, name, folder, modified, created, tags }) => ({
    uri,
    title,
    path: pathOf(index, folder, name),
    modified,
    created: created ?? undefined,
    tags: tags === null ? [] : (JSON.parse(tags) as string[]),
  }));
}

const below = (folder: string): string => `folder.path = '${folder}' OR folder.path LIKE '${folder}/%'`;

export const KINDS = {
  all: undefined,
  thinking: below("thinking"),
  assumptions: below("assumptions"),
  memory: `NOT (${below("thinking")} OR ${below("assumptions")})`,
} as const satisfies Readonly<Record<ActivityKind, string | undefined>>;

/** The concepts of a note, in the order of its text. */
export function conceptsOf({ db }: MemoryIndex, uri: string): string[] {
  return db
    .all<{ name: string }>(
      `SELECT c.name FROM note AS n JOIN mention AS m ON m.note = n.id JOIN concept AS c ON c.id = m.concept
       WHERE n.uri = ? ORDER BY m.place`,
      [uri],
    )
    .map(({ name }) => name);
}
