import { cutFrontmatter } from "../../../markdown/frontmatter.ts";
import { ContinuoError } from "../../../moments/errors.ts";
import { pathOf } from "../index/apply.ts";
import type { MemoryIndex } from "../index/memory-index.ts";
import type { Note } from "../notes/note.ts";
import { findLinks } from "../notes/wikilinks.ts";
import type { Ranked } from "./best.ts";
import { idsOf, type NoteFilter } from "./filter.ts";
import { emptyQuery, queryTerms } from "./query.ts";
import { type Ranking, rankNotes } from "./rank.ts";
import { snippetOf } from "./snippet.ts";

export type SearchMode = "Hybrid" | "Semantic" | "FullText";

export interface SearchQuery extends NoteFilter {
  readonly query: string;
  /** Hybrid unless said otherwise. */
  readonly mode?: SearchMode;
  /** From 1 on. */
  readonly page?: number;
  readonly pageSize?: number;
  /** 0 to 1. */
  readonly minScore?: number;
}

export interface Hit {
  readonly uri: string;
  readonly title: string;
  readonly path: string;
  /** 0 to 1, comparable across queries. */
  readonly score: number;
  readonly textScore: number;
  readonly semanticScore: number | undefined;
  readonly modified: number;
  readonly concepts: readonly string[];
  readonly snippet: string;
}

export interface SearchResult {
  readonly hits: readonly Hit[];
  /** All that match, on all pages. */
  readonly total: number;
  /** What the reader should know about how this was found. */
  readonly notices: readonly string[];
}

/** On one page: each is a file that is read. */
const MOST_HITS = 100;

/** Finds notes. The index says which; titles, concepts and snippets of the page asked for come from the files themselves. */
export async function search(index: MemoryIndex, asked: SearchQuery): Promise<SearchResult> {
  const { mode = "Hybrid", page = 1 } = asked;
  const pageSize = Math.min(MOST_HITS, Math.max(1, Math.trunc(asked.pageSize ?? 10)));
  if (mode === "Semantic") {
    throw new ContinuoError("semantic-missing", "semantic search is not set up", {
      hint: "search with mode FullText or Hybrid",
    });
  }
  const terms = queryTerms(asked.query);
  if (terms.length === 0) throw emptyQuery(asked.query);
  const from = (Math.max(1, Math.trunc(page)) - 1) * pageSize;
  const { best, total } = rankText(index, terms, asked, from + pageSize);
  const hits = await Promise.all(best.slice(from).map((one) => hitOf(index, one, terms)));
  return {
    hits: hits.filter((hit) => hit !== undefined),
    total,
    notices: mode === "Hybrid" ? ["semantic search is not set up: found by words alone"] : [],
  };
}

/** The notes that have these terms and pass the filter, the best `limit` of them. */
export function rankText(
  { db }: MemoryIndex,
  terms: readonly string[],
  filter: NoteFilter & { readonly minScore?: number },
  limit: number,
): Ranking {
  return rankNotes(db, terms, { limit, minScore: filter.minScore ?? 0, among: idsOf(db, filter) });
}

interface Row {
  readonly uri: string;
  readonly title: string;
  readonly name: string;
  readonly folder: string;
  readonly modified: number;
  readonly size: number;
}

async function hitOf(index: MemoryIndex, ranked: Ranked, terms: readonly string[]): Promise<Hit | undefined> {
  const row = index.db.get<Row>(
    `SELECT uri, title, name, folder.path AS folder, note.modified, size FROM note
     JOIN folder ON folder.id = note.folder WHERE note.id = ?`,
    [ranked.note],
  );
  if (row === undefined) return undefined;
  const path = pathOf(index, row.folder, row.name);
  const shown = await shownOf(index, path, row);
  // Deleted since the last sync: it is no longer a hit.
  if (shown === undefined) return undefined;
  return {
    uri: row.uri,
    title: shown.title,
    path,
    score: ranked.score,
    textScore: ranked.score,
    semanticScore: undefined,
    modified: shown.modified,
    concepts: shown.concepts,
    snippet: snippetOf(shown.body, ranked.passage, terms),
  };
}

type Shown = Pick<Note, "title" | "modified" | "concepts" | "body">;

/** What a hit shows of its file. The title of one that is as it was indexed is known: its frontmatter is not read. */
async function shownOf({ files }: MemoryIndex, path: string, row: Row): Promise<Shown | undefined> {
  const read = files.readText(path);
  if (read === undefined || read.modified !== row.modified || read.size !== row.size) return files.read(path);
  const cut = cutFrontmatter(read.text);
  const body = typeof cut === "string" ? read.text : read.text.slice(cut.body);
  return { title: row.title, modified: row.modified, concepts: findLinks(body).concepts, body };
}
