import { ContinuoError, describeError } from "../../../base/errors.ts";
import { type MadeQuery, makeQuery } from "../../../search/query/make-query.ts";
import { noticesOf } from "../../../search/query/notices.ts";
import type { QueryTerm } from "../../../search/query-term.ts";
import type { MeaningWeights } from "../../../search/rank/fuse.ts";
import type { Nearness } from "../../../search/rank/nearness.ts";
import { type Query, type Ranked, rank, type Tuning } from "../../../search/rank/rank.ts";
import { likelihood, RERANKED, RERANKED_IN_HOOK, rerank } from "../../../search/rank/rerank.ts";
import type { WordWeights } from "../../../search/rank/score-words.ts";
import type { MeaningSource } from "../../../search/vectors/embed-texts.ts";
import type { MemoryIndex } from "../note-index/memory-index.ts";
import type { SemanticRanker } from "../vectors/semantic-search.ts";
import type { VectorScores } from "../vectors/vector-set.ts";
import { idsOf, type NoteFilter } from "./filter.ts";
import { kept, type Opened, openedAt } from "./opened.ts";
import { type Relation, relationsOf, type SeenFrom } from "./project-notes.ts";

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
  /**
   * The project from which the search is made: its notes rank slightly higher, and each hit states its relation to it.
   */
  readonly seenFrom?: SeenFrom;
}

export interface SearchOptions {
  /** The table of meaning; absent if it is disabled. */
  readonly meaning?: MeaningSource | undefined;
  /** A larger model, used instead of the table. Absent in hooks, where loading a model takes too long. */
  readonly semantic?: SemanticRanker | undefined;
  /** A hook has no time to look for typos and prefixes, and compares fewer texts. */
  readonly isHook?: boolean;
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
export const NEARNESS: MeaningWeights = {
  weight: 0.07,
  inOtherWords: 1.5,
  from: 0,
  found: 2.5,
  foundAlone: 1,
};
/** The weight of the n-grams besides words and meaning. */
export const NGRAMS = 0.9;

/** With a minimum score, at most this many results are counted. */
const MOST_COUNTED = 1000;

const NOT_AVAILABLE = "the table of meaning is not usable: found by words alone (continuo doctor says why)";

/**
 * How much stronger a note of this project counts in the order: about the difference between neighbours among the first
 * hits, so that a much better note of another project still comes first (docs/design/benchmarks.md).
 */
const PREFERENCE = 0.1;

export interface FoundNote {
  readonly one: Ranked;
  /** Includes the comparison of texts. */
  readonly strength: number;
  readonly score: number;
  /** Only if the query says from which project it is made. */
  readonly relation?: Relation;
}

/** The value by which hits are ordered. */
export function standing({ strength, relation }: Pick<FoundNote, "strength" | "relation">): number {
  return relation === "own" ? strength + PREFERENCE : strength;
}

interface FoundNotes {
  /** Best first. */
  readonly ranked: readonly FoundNote[];
  /** What was read of the ranked notes. */
  readonly opened: ReadonlyMap<Ranked, Opened | undefined>;
  readonly total: number;
  /** The words that were searched; empty if only meaning was. */
  readonly terms: readonly QueryTerm[];
  /** The terms that were searched, for snippets. */
  readonly words: readonly string[];
  readonly notices: readonly string[];
  readonly mayBeOutdated: boolean;
}

/** The best `limit` notes that match the filter. Reads the files of the first ones, to compare their texts. */
export async function rankAsked(
  index: MemoryIndex,
  asked: SearchQuery,
  limit: number,
  options: SearchOptions & Tuning = {},
): Promise<FoundNotes> {
  const { mode = "Hybrid", query, minScore = 0 } = asked;
  const most = options.isHook === true ? RERANKED_IN_HOOK : RERANKED;
  const isByMeaning = mode === "Semantic";
  const made = makeQuery(index.db, query, {
    isLenient: options.isHook !== true,
    meaning: options.meaning,
  });
  const terms = isByMeaning ? [] : made.terms;
  const notices: string[] = [];
  const nearness = mode === "FullText" ? undefined : await nearnessFor(made, asked, options, notices);
  const { best, total } = rank(
    index.db,
    { terms, nearness },
    {
      limit: Math.max(most, limit, minScore > 0 ? MOST_COUNTED : 0),
      weights: { ...WEIGHTS, ...options.weights },
      meaning: { ...NEARNESS, ...options.nearness },
      among: idsOf(index, asked),
    },
  );
  const opened = new Map<Ranked, Opened | undefined>();
  for (const one of best.slice(0, Math.max(most, limit))) opened.set(one, kept(await openedAt(index, one)));
  const textOf = (one: Ranked): string => opened.get(one)?.passage ?? "";
  const ngrams = isByMeaning ? 0 : (options.ngrams ?? NGRAMS);
  if (!isByMeaning) notices.push(...noticesOf(made.replaced, "note", best.slice(0, most).map(textOf)));
  const reranked = rerank(query, best, textOf, ngrams, most);
  const ranked = withRelations(index, reranked, most, asked.seenFrom)
    .map((found) => ({ ...found, score: likelihood(found.strength) }))
    .filter(({ score }) => score >= minScore);
  return {
    ranked,
    opened,
    total: minScore > 0 ? ranked.length : total,
    terms,
    words: made.words,
    notices,
    mayBeOutdated:
      total === 0 ||
      made.replaced.length > 0 ||
      made.terms.some(({ matches }) => matches.length === 0) ||
      [...opened.values()].some((one) => one === undefined || one.shown.isChanged),
  };
}

/**
 * Only the first ones are reordered by project, so that a longer list begins with the shorter one, and pages are
 * consistent.
 */
function withRelations(
  { db, files }: MemoryIndex,
  ranked: readonly Omit<FoundNote, "score">[],
  most: number,
  seenFrom: SeenFrom | undefined,
): readonly Omit<FoundNote, "score">[] {
  if (seenFrom === undefined) return ranked;
  const owners = ranked.map(({ one }) => one.owner);
  const relations = relationsOf(db, seenFrom, files.root, owners);
  const related = ranked.map((found) => ({
    ...found,
    relation: relations.get(found.one.owner) ?? "unknown",
  }));
  return [...related.slice(0, most).sort((a, b) => standing(b) - standing(a)), ...related.slice(most)];
}

/** How near the notes are, by the larger model if there is one, else by the table. */
async function nearnessFor(
  made: MadeQuery,
  { mode, query }: SearchQuery,
  { semantic, meaning, signal }: SearchOptions,
  notices: string[],
): Promise<Query["nearness"]> {
  if (semantic === undefined) {
    if (meaning?.() !== undefined) return made.nearness;
    if (mode === "Semantic") throw notByMeaning(meaning === undefined);
    if (meaning !== undefined) notices.push(NOT_AVAILABLE);
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
  const { pending, scores } = answer;
  const how = mode === "Semantic" ? "not found" : "found by words alone";
  if (pending > 0) notices.push(`${pending} note${pending === 1 ? " has" : "s have"} no vectors yet: ${how}`);
  return ({ span }) => nearnessByNote(scores, span);
}

function notByMeaning(isOff: boolean): ContinuoError {
  return isOff
    ? new ContinuoError("semantic-missing", "search by meaning is turned off", {
        hint: "search with mode FullText or Hybrid, or set sources.memory.semantic to table",
      })
    : new ContinuoError("semantic-missing", "notes cannot be searched by meaning", {
        hint: "search with mode FullText or Hybrid; continuo doctor says why",
      });
}

function nearnessByNote(scores: VectorScores, notes: number): Nearness {
  const cosines = Float32Array.from({ length: notes }, (_, note) => scores.cosineOf(note) ?? Number.NaN);
  return { cosines, bestOf: (note) => ({ entry: note, passage: scores.passageOf(note) }) };
}
