import { hasTerm, passageAt, snippetOf } from "../../../search/passages.ts";
import { matchedWords } from "../../../search/query/notices.ts";
import type { QueryTerm } from "../../../search/query-term.ts";
import { findLinks } from "../files/wikilinks.ts";
import type { MemoryIndex } from "../note-index/memory-index.ts";
import { type Opened, openedAt } from "./opened.ts";
import type { Relation } from "./project-notes.ts";
import { type FoundNote, rankAsked, type SearchOptions, type SearchQuery, standing } from "./ranking.ts";

export type { SearchMode, SearchQuery } from "./ranking.ts";

export interface Hit {
  readonly uri: string;
  readonly title: string;
  readonly path: string;
  /** An estimate of how likely it is the right one, 0 to 1; means about the same for every query. */
  readonly score: number;
  /** Words, meaning and the comparison of texts combined; unbounded. */
  readonly strength: number;
  /** By words alone. */
  readonly textScore: number;
  /** The cosine of its nearest passage; undefined if only words were searched. */
  readonly semanticScore: number | undefined;
  readonly modified: number;
  readonly concepts: readonly string[];
  readonly snippet: string;
  /** The words of the query that it contains. */
  readonly matched: readonly string[];
  /** Only if the query says from which project it is made. */
  readonly relation?: Relation;
}

export interface SearchResult {
  readonly hits: readonly Hit[];
  /** The number of matches on all pages. */
  readonly total: number;
  /** The terms that were searched, to mark them in the snippets (`search/marks.ts`). */
  readonly words: readonly string[];
  /** Remarks for the reader, for example what was searched for instead of an unknown word. */
  readonly notices: readonly string[];
  /**
   * Set if nothing was found, or a word occurs in no note, or a note has changed since it was indexed: callers that
   * have not checked every file may do so and search again.
   */
  readonly mayBeOutdated: boolean;
}

/** Per page, because a file is read for each hit. */
const MAX_HITS = 100;

/** Finds notes with the index; titles, concepts and snippets of the requested page are read from the files. */
export async function search(
  index: MemoryIndex,
  asked: SearchQuery,
  options: SearchOptions = {},
): Promise<SearchResult> {
  const pageSize = Math.min(MAX_HITS, Math.max(1, Math.trunc(asked.pageSize ?? 10)));
  const from = (Math.max(1, Math.trunc(asked.page ?? 1)) - 1) * pageSize;
  const { ranked, opened, total, terms, words, notices, mayBeOutdated } = await rankAsked(
    index,
    asked,
    from + pageSize,
    options,
  );
  const hits: Hit[] = [];
  for (const note of ranked.slice(from, from + pageSize)) {
    const compared = opened.get(note.one);
    const found = compared?.isCut ? await openedAt(index, note.one) : compared;
    if (found === undefined) continue;
    hits.push(hitOf(found, note, terms, words));
  }
  return { hits, total, words, notices, mayBeOutdated };
}

function hitOf(
  { uri, path, shown }: Opened,
  found: FoundNote,
  terms: readonly QueryTerm[],
  words: readonly string[],
): Hit {
  const { one, strength, score, relation } = found;
  return {
    uri,
    title: shown.title,
    path,
    score,
    strength,
    textScore: one.words,
    semanticScore: one.cosine,
    modified: shown.modified,
    // A hook shows none of these, and has no time for them.
    get concepts() {
      return findLinks(shown.body, shown.head.split(/[\r\n]+/)).concepts;
    },
    get snippet() {
      const passage = one.best?.passage ?? 0;
      // The words of a note's properties are indexed with its first passage, and may not occur in the text.
      const isProperty =
        passage === 0 && !hasTerm(passageAt(shown.body, 0), words) && hasTerm(shown.head, words);
      return isProperty ? snippetOf(shown.head, 0, words) : snippetOf(shown.body, passage, words);
    },
    get matched() {
      return matchedWords(terms, [shown.title, shown.head, shown.body]);
    },
    relation,
  };
}

/** One page of the results of several roots; each was asked for all hits up to the end of the page. */
export function mergeSearches(found: readonly SearchResult[], from: number, pageSize: number): SearchResult {
  return {
    hits: found
      .flatMap(({ hits }) => hits)
      .sort((a, b) => standing(b) - standing(a))
      .slice(from, from + pageSize),
    total: found.reduce((sum, { total }) => sum + total, 0),
    words: [...new Set(found.flatMap(({ words }) => words))],
    notices: [...new Set(found.flatMap(({ notices }) => notices))],
    mayBeOutdated: found.length === 0 || found.some((one) => one.mayBeOutdated),
  };
}
