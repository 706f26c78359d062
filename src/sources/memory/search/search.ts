import { ContinuoError, describeError } from "../../../base/errors.ts";
import { cutFrontmatter } from "../../../markdown/frontmatter.ts";
import { snippetOf } from "../../../search/passages.ts";
import { emptyQuery, queryTerms } from "../../../search/words.ts";
import { pathOf } from "../note-index/apply.ts";
import type { MemoryIndex } from "../note-index/memory-index.ts";
import type { Note } from "../notes/note.ts";
import { findLinks } from "../notes/wikilinks.ts";
import type { SemanticRanker } from "../vectors/semantic-search.ts";
import { idsOf, type NoteFilter } from "./filter.ts";
import { type Fused, fuse, semanticOnly } from "./fuse.ts";
import { type Ranking, rankNotes } from "./rank.ts";

export type SearchMode = "Hybrid" | "Semantic" | "FullText";

export interface SearchQuery extends NoteFilter {
  readonly query: string;
  /** Default: Hybrid. */
  readonly mode?: SearchMode;
  /** The first page is 1. */
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
  /** The number of matches on all pages. */
  readonly total: number;
  /** Remarks for the reader, such as that semantic search failed. */
  readonly notices: readonly string[];
}

/** On one page: a file is read for each. */
const MAX_HITS = 100;
/** This many of the best text hits are combined with the semantic hits. */
const MAX_FUSED = 1000;

const NOT_SET_UP = "semantic search is not set up: found by words alone";

export interface SearchOptions {
  /** Absent when it is not set up, and in hooks, where loading a model takes too long. */
  readonly semantic?: SemanticRanker | undefined;
  readonly signal?: AbortSignal;
}

/** Finds notes with the index; titles, concepts and snippets of the requested page are read from the files. */
export async function search(
  index: MemoryIndex,
  asked: SearchQuery,
  options: SearchOptions = {},
): Promise<SearchResult> {
  const pageSize = Math.min(MAX_HITS, Math.max(1, Math.trunc(asked.pageSize ?? 10)));
  const from = (Math.max(1, Math.trunc(asked.page ?? 1)) - 1) * pageSize;
  const terms = queryTerms(asked.query);
  const { best, total, notices } = await rankAsked(index, terms, asked, from + pageSize, options);
  const page = best.slice(from, from + pageSize);
  const hits = await Promise.all(page.map((one) => hitOf(index, one, terms)));
  return { hits: hits.filter((hit) => hit !== undefined), total, notices };
}

interface Found {
  /** Best first. */
  readonly best: readonly Fused[];
  readonly total: number;
  readonly notices: readonly string[];
}

async function rankAsked(
  index: MemoryIndex,
  terms: readonly string[],
  asked: SearchQuery,
  limit: number,
  { semantic, signal }: SearchOptions,
): Promise<Found> {
  const { mode = "Hybrid", query, minScore = 0 } = asked;
  if (mode === "Semantic" && semantic === undefined) {
    throw new ContinuoError("semantic-missing", "semantic search is not set up", {
      hint: "search with mode FullText or Hybrid, or set sources.memory.semantic (docs/notes.md)",
    });
  }
  if (query.trim() === "") throw emptyQuery(query);
  const byWords = (notices: readonly string[]): Found => {
    if (terms.length === 0) throw emptyQuery(query);
    return { ...rankText(index, terms, asked, limit), notices };
  };
  if (mode === "FullText") return byWords([]);
  // Only if this mode was requested: most people never turn it on and need no notice with every search.
  if (semantic === undefined) return byWords(asked.mode === undefined ? [] : [NOT_SET_UP]);
  const included = idsOf(index.db, asked);
  const isIncluded = (note: number): boolean => included?.has(note) ?? true;
  if (mode === "Semantic") {
    const { scores, pending } = await semantic.nearest(query, signal);
    const best = sortedByScore(semanticOnly(scores, isIncluded), minScore);
    return { best, total: best.length, notices: pendingNotice(pending, "not found") };
  }
  const answer = await semantic.nearest(query, signal).catch((error: unknown) => {
    signal?.throwIfAborted();
    return describeError(error).message;
  });
  if (typeof answer === "string") return byWords([`semantic search failed, found by words alone: ${answer}`]);
  const options = { limit: Math.max(limit, MAX_FUSED), among: included };
  // A query of only stop words can still be searched by meaning.
  const text = terms.length === 0 ? { best: [], total: 0 } : rankNotes(index.db, terms, options);
  const best = sortedByScore(fuse(text.best, answer.scores, isIncluded), minScore);
  return {
    best,
    total: minScore > 0 ? best.length : Math.max(best.length, text.total),
    notices: pendingNotice(answer.pending, "found by words alone"),
  };
}

const sortedByScore = (found: readonly Fused[], minScore: number): Fused[] =>
  found.filter(({ score }) => score >= minScore).sort((a, b) => b.score - a.score || a.note - b.note);

const pendingNotice = (pending: number, how: string): string[] =>
  pending === 0 ? [] : [`${pending} note${pending === 1 ? " has" : "s have"} no vectors yet: ${how}`];

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

async function hitOf(index: MemoryIndex, ranked: Fused, terms: readonly string[]): Promise<Hit | undefined> {
  const row = index.db.get<Row>(
    `SELECT uri, title, name, folder.path AS folder, note.modified, size FROM note
     JOIN folder ON folder.id = note.folder WHERE note.id = ?`,
    [ranked.note],
  );
  if (row === undefined) return undefined;
  const path = pathOf(index, row.folder, row.name);
  // Deleted or not readable any more since the last sync: it is left out, the other hits stay.
  const shown = await readShown(index, path, row).catch((error: unknown) => {
    if (!(error instanceof ContinuoError)) throw error;
    return undefined;
  });
  if (shown === undefined) return undefined;
  return {
    uri: row.uri,
    title: shown.title,
    path,
    score: ranked.score,
    textScore: ranked.textScore ?? ranked.score,
    semanticScore: ranked.semanticScore,
    modified: shown.modified,
    concepts: shown.concepts,
    snippet: snippetOf(shown.body, ranked.passage, terms),
  };
}

type Shown = Pick<Note, "title" | "modified" | "concepts" | "body">;

/** What a hit shows of its file. If the file is unchanged since it was indexed, the title is known and its frontmatter is not parsed. */
async function readShown({ files }: MemoryIndex, path: string, row: Row): Promise<Shown | undefined> {
  const read = files.readText(path);
  if (read === undefined || read.modified !== row.modified || read.size !== row.size) return files.read(path);
  const cut = cutFrontmatter(read.text);
  const body = typeof cut === "string" ? read.text : read.text.slice(cut.body);
  return { title: row.title, modified: row.modified, concepts: findLinks(body).concepts, body };
}

/** One page of what several roots found; each was asked for all hits up to the end of the page. */
export function mergeSearches(found: readonly SearchResult[], from: number, pageSize: number): SearchResult {
  return {
    hits: found
      .flatMap(({ hits }) => hits)
      .sort((a, b) => b.score - a.score)
      .slice(from, from + pageSize),
    total: found.reduce((sum, { total }) => sum + total, 0),
    notices: [...new Set(found.flatMap(({ notices }) => notices))],
  };
}
