import { ContinuoError, describeError } from "../../../base/errors.ts";
import { cutFrontmatter } from "../../../markdown/frontmatter.ts";
import { passageAt, snippetOf } from "../../../search/passages.ts";
import { type MadeQuery, makeQuery } from "../../../search/query/make-query.ts";
import type { MeaningWeights } from "../../../search/rank/fuse.ts";
import type { Nearness } from "../../../search/rank/nearness.ts";
import { type Query, type Ranked, rank } from "../../../search/rank/rank.ts";
import { RERANKED, rerank } from "../../../search/rank/rerank.ts";
import type { WordWeights } from "../../../search/rank/score-words.ts";
import type { MeaningSource } from "../../../search/vectors/vector-builder.ts";
import { pathOf } from "../note-index/apply.ts";
import type { MemoryIndex } from "../note-index/memory-index.ts";
import type { Note } from "../notes/note.ts";
import { findLinks } from "../notes/wikilinks.ts";
import type { SemanticRanker } from "../vectors/semantic-search.ts";
import type { VectorScores } from "../vectors/vector-set.ts";
import { idsOf, type NoteFilter } from "./filter.ts";

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

const NOT_AVAILABLE = "the table of meaning is not usable: found by words alone (continuo doctor says why)";

export interface SearchOptions {
  /** The table of meaning. Absent when it is turned off or not usable. */
  readonly meaning?: MeaningSource | undefined;
  /** A larger model, asked instead of the table. Absent in hooks, where loading a model takes too long. */
  readonly semantic?: SemanticRanker | undefined;
  /** Looks for typing errors and beginnings of words where no note has a word. Default: true. Not in hooks. */
  readonly isLenient?: boolean;
  readonly signal?: AbortSignal;
}

/** Chosen on the retrieval benchmark (docs/design/benchmarks.md). A note counts by its best passage. */
export const WEIGHTS: WordWeights = {
  k1: 1.2,
  b: 0.75,
  minLength: 20,
  decay: 0,
  whole: 0,
  wholeK1: 1,
  wholeB: 0,
  title: 2,
  names: 1,
  perfectPassages: 1,
  otherForm: 0.8,
};
export const MEANING: MeaningWeights = { weight: 0.05, from: 1, found: 2.5 };
/** Weight of the n-grams beside words and meaning. */
const NGRAMS = 0.3;

/** Finds notes with the index; titles, concepts and snippets of the requested page are read from the files. */
export async function search(
  index: MemoryIndex,
  asked: SearchQuery,
  options: SearchOptions = {},
): Promise<SearchResult> {
  const { mode = "Hybrid", query } = asked;
  const pageSize = Math.min(MAX_HITS, Math.max(1, Math.trunc(asked.pageSize ?? 10)));
  const from = (Math.max(1, Math.trunc(asked.page ?? 1)) - 1) * pageSize;
  const notices: string[] = [];
  const made = makeQuery(index.db, query, {
    what: "note",
    isLenient: options.isLenient ?? true,
    meaning: mode === "FullText" || options.semantic !== undefined ? undefined : options.meaning,
  });
  const nearness = mode === "FullText" ? undefined : await nearnessFor(made, asked, options, notices);
  const isByMeaning = mode === "Semantic";
  if (!isByMeaning) notices.push(...made.notices);
  const { best, total } = rank(
    index.db,
    { terms: isByMeaning ? [] : made.terms, nearness },
    {
      limit: Math.max(RERANKED, from + pageSize),
      ownerOf: (note) => note,
      weights: WEIGHTS,
      meaning: MEANING,
      among: idsOf(index.db, asked),
      ...(asked.minScore !== undefined && { minScore: asked.minScore }),
    },
  );
  const opened = new Map<Ranked, Opened | undefined>();
  for (const one of best.slice(0, Math.max(RERANKED, from + pageSize)))
    opened.set(one, await openedAt(index, one));
  const textOf = (one: Ranked): string => opened.get(one)?.passage ?? "";
  const shown = rerank(query, best, textOf, isByMeaning ? 0 : NGRAMS).slice(from, from + pageSize);
  const hits = shown.flatMap(({ one, score }) => {
    const found = opened.get(one);
    return found === undefined ? [] : [hitOf(found, one, score, made.words)];
  });
  return { hits, total, notices };
}

/** How near the notes are: by the larger model if there is one, else by the table. */
async function nearnessFor(
  made: MadeQuery,
  { mode, query }: SearchQuery,
  { semantic, meaning, signal }: SearchOptions,
  notices: string[],
): Promise<Query["nearness"]> {
  if (semantic === undefined) {
    if (made.nearness !== undefined) return made.nearness;
    if (mode === "Semantic" && meaning === undefined)
      throw new ContinuoError("semantic-missing", "notes cannot be searched by meaning", {
        hint: "search with mode FullText or Hybrid; continuo doctor says why",
      });
    if (mode === "Hybrid" && meaning === undefined) notices.push(NOT_AVAILABLE);
    return undefined;
  }
  const answer = await semantic.nearest(query, signal).catch((error: unknown) => {
    signal?.throwIfAborted();
    if (mode === "Semantic") throw error;
    return describeError(error).message;
  });
  if (typeof answer === "string") {
    notices.push(`semantic search failed, found by words alone: ${answer}`);
    return undefined;
  }
  const { pending } = answer;
  if (pending > 0)
    notices.push(
      `${pending} note${pending === 1 ? " has" : "s have"} no vectors yet: ${mode === "Semantic" ? "not found" : "found by words alone"}`,
    );
  return (_corpus, isAsked) => nearnessByNote(answer.scores, isAsked);
}

function nearnessByNote(scores: VectorScores, isAsked: Uint8Array): Nearness {
  const cosines = Float32Array.from(isAsked, (asked, note) =>
    asked === 1 ? (scores.cosineOf(note) ?? Number.NaN) : Number.NaN,
  );
  return { cosines, bestOf: (note) => ({ entry: note, passage: scores.passageOf(note) }) };
}

interface Row {
  readonly uri: string;
  readonly title: string;
  readonly name: string;
  readonly folder: string;
  readonly modified: number;
  readonly size: number;
}

/** A found note, with what a hit shows of it. */
interface Opened {
  readonly row: Row;
  readonly path: string;
  readonly shown: Shown;
  /** The text of the passage that matched best. */
  readonly passage: string;
}

async function openedAt(index: MemoryIndex, { owner, best }: Ranked): Promise<Opened | undefined> {
  const row = index.db.get<Row>(
    `SELECT uri, title, name, folder.path AS folder, note.modified, size FROM note
     JOIN folder ON folder.id = note.folder WHERE note.id = ?`,
    [owner],
  );
  if (row === undefined) return undefined;
  const path = pathOf(index, row.folder, row.name);
  // Deleted or not readable any more since the last sync: it is left out, the other hits stay.
  const shown = await readShown(index, path, row).catch((error: unknown) => {
    if (!(error instanceof ContinuoError)) throw error;
    return undefined;
  });
  if (shown === undefined) return undefined;
  return { row, path, shown, passage: `${shown.title}\n${passageAt(shown.body, best?.passage ?? 0)}` };
}

function hitOf({ row, path, shown }: Opened, ranked: Ranked, score: number, words: readonly string[]): Hit {
  return {
    uri: row.uri,
    title: shown.title,
    path,
    score,
    textScore: ranked.words,
    semanticScore: ranked.cosine,
    modified: shown.modified,
    concepts: findLinks(shown.body).concepts,
    snippet: snippetOf(shown.body, ranked.best?.passage ?? 0, words),
  };
}

type Shown = Pick<Note, "title" | "modified" | "body">;

/** What a hit shows of its file. If the file is unchanged since it was indexed, the title is known and its frontmatter is not parsed. */
async function readShown({ files }: MemoryIndex, path: string, row: Row): Promise<Shown | undefined> {
  const read = files.readText(path);
  if (read === undefined || read.modified !== row.modified || read.size !== row.size) return files.read(path);
  const cut = cutFrontmatter(read.text);
  const body = typeof cut === "string" ? read.text : read.text.slice(cut.body);
  return { title: row.title, modified: row.modified, body };
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
