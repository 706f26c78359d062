import {
  averageLength,
  type Bm25Weights,
  idf,
  lengthNorm,
  maxScore,
  termScore,
} from "../../../search/bm25.ts";
import { ngramSimilarity } from "../../../search/ngrams.ts";
import { snippetOf } from "../../../search/passages.ts";
import { eachTerm, emptyQuery, queryTerms } from "../../../search/words.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import { idsOf, rowById, sessionOf } from "../indexing/rows.ts";
import { abandonedIn } from "../indexing/turn-marks.ts";
import { passagesBefore, type StoredPassage, unitById, unitsOf } from "../indexing/units.ts";
import type { SearchAnswer, SearchOptions } from "../library.ts";
import type { Passage, RankedPassage } from "../session.ts";
import { type RankedSession, rankSessions } from "./rank.ts";

const MOST_HITS = 100;

export function searchSessions(db: Database, query: string, options: SearchOptions = {}): SearchAnswer {
  const { limit = 10, skip = 0, ...filter } = options;
  const terms = queryTerms(query);
  if (terms.length === 0) throw emptyQuery(query, "the session");
  const wanted = Math.min(MOST_HITS, Math.max(1, limit));
  const { best, total } = rankSessions(db, terms, {
    limit: Math.max(RERANKED, skip + wanted),
    among: idsOf(db, filter),
  });
  // Opening a unit is the slowest part: each is opened once, for reranking and for display.
  const opened = new Map<RankedSession, StoredPassage | undefined>();
  const storedOf = (one: RankedSession): StoredPassage | undefined => {
    if (!opened.has(one)) opened.set(one, storedAt(db, one.best));
    return opened.get(one);
  };
  const shown = rerank(query, best, (one) => storedOf(one)?.[3] ?? "").slice(skip, skip + wanted);
  const hits = shown.flatMap(({ one, score }) => {
    const row = rowById(db, one.session);
    return row === undefined
      ? []
      : [{ session: sessionOf(row), score, best: bestOf(db, { ...one, score }, storedOf(one), terms) }];
  });
  return { hits, total };
}

function bestOf(
  db: Database,
  { session, best, score }: RankedSession,
  stored: StoredPassage | undefined,
  terms: readonly string[],
): RankedPassage | undefined {
  if (stored === undefined || best === undefined) return undefined;
  const at = passagesBefore(db, best.unit) + best.passage;
  const passage = passageOf(stored, at, abandonedIn(db, session)(stored[0]));
  return { ...passage, score, snippet: snippetOf(passage.text, 0, terms) };
}

function storedAt(db: Database, best: RankedSession["best"]): StoredPassage | undefined {
  return best === undefined ? undefined : unitById(db, best.unit)?.passages[best.passage];
}

function passageOf([turn, kind, time, text]: StoredPassage, at: number, isLeft: boolean): Passage {
  return {
    at,
    turn,
    role: kind === "u" ? "user" : kind === "s" ? "summary" : "assistant",
    isCalls: kind === "c",
    text,
    ...(time === null ? {} : { time }),
    ...(isLeft ? { isLeft } : {}),
  };
}

/** All passages of a session in order. Of one with more than `mostUnits` units, those at its beginning and end. */
export function allPassages(db: Database, session: number, mostUnits?: number): Passage[] {
  const all: Passage[] = [];
  const isLeft = abandonedIn(db, session);
  for (const { passages } of unitsOf(db, session, mostUnits))
    for (const stored of passages) all.push(passageOf(stored, all.length, isLeft(stored[0])));
  return all;
}

const WEIGHTS: Bm25Weights = { k1: 1.2, b: 0.75, minLength: 20 };

/**
 * The passages of one session that match a question best. The idf of a word is that within this session. Reads the
 * text itself, so that text copied into a fork is found as well.
 */
export function rankWithin(passages: readonly Passage[], question: string, limit: number): RankedPassage[] {
  const terms = queryTerms(question);
  if (terms.length === 0) return [];
  const wanted = new Set(terms);
  const counts = passages.map(({ text }) => countsIn(text, wanted));
  const total = counts.reduce((sum, { length }) => sum + length, 0);
  const average = averageLength(total, counts.length, WEIGHTS);
  const idfs = new Map(
    terms.map((term) => {
      const has = counts.filter(({ times }) => times.has(term)).length;
      return [term, idf(counts.length, has)];
    }),
  );
  const perfect = maxScore(
    [...idfs.values()].reduce((sum, one) => sum + one, 0),
    WEIGHTS.k1,
  );
  const ranked = passages
    .map((passage, at) => ({ passage, score: scoreOf(counts[at], idfs, average) / perfect }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.passage.at - b.passage.at)
    .slice(0, Math.max(limit, RERANKED));
  // The word score is returned unchanged: the confidence of an answer is calibrated on it.
  return rerank(question, ranked, ({ passage }) => passage.text)
    .slice(0, limit)
    .map(({ one: { passage, score } }) => ({
      ...passage,
      score: Math.min(1, score),
      snippet: snippetOf(passage.text, 0, terms),
    }));
}

interface Counted {
  readonly times: ReadonlyMap<string, number>;
  readonly length: number;
}

function countsIn(text: string, wanted: ReadonlySet<string>): Counted {
  const times = new Map<string, number>();
  let length = 0;
  eachTerm(text, (term) => {
    length++;
    if (wanted.has(term)) times.set(term, (times.get(term) ?? 0) + 1);
  });
  return { times, length };
}

function scoreOf(counted: Counted | undefined, idfs: ReadonlyMap<string, number>, average: number): number {
  if (counted === undefined) return 0;
  const norm = lengthNorm(WEIGHTS, counted.length, average);
  let score = 0;
  for (const [term, times] of counted.times) score += termScore(idfs.get(term) ?? 0, times, norm, WEIGHTS.k1);
  return score;
}

/** How many of the best are compared: the right one is seldom further down, and their texts must be read. */
export const RERANKED = 20;
/** Weight of the n-grams, relative to the words. */
const SHARE = 0.7;

/**
 * The index has stems only, without common words and word order. So the texts of the best hits are read, and those
 * nearest to the query by character n-grams move up. The others follow in their order: a longer list begins with the
 * shorter one.
 */
export function rerank<T extends { readonly score: number }>(
  query: string,
  ranked: readonly T[],
  textOf: (one: T) => string,
): { readonly one: T; readonly score: number }[] {
  const near = ngramSimilarity(query, ranked.slice(0, RERANKED).map(textOf));
  return ranked
    .map((one, at) => ({ one, score: (one.score + SHARE * (near[at] ?? 0)) / (1 + SHARE) }))
    .sort((a, b) => b.score - a.score);
}
