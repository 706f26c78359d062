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
import { eachTerm, queryTerms } from "../../../search/words.ts";
import type { Passage, RankedPassage } from "../session.ts";

const WEIGHTS: Bm25Weights = { k1: 1.2, b: 0.75, minLength: 20 };

/**
 * The passages of one session that have most of a question's words. How rare a word is, is judged by this session: what
 * it says everywhere tells nothing apart. From the text itself, so that what a fork copied is found in it as well.
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
    .slice(0, Math.max(limit, CLOSELY));
  // The score that is told stays that of the words: an answer's confidence is measured by it.
  return closer(question, ranked, ({ passage }) => passage.text)
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

/** So many of the first are compared: the right one is seldom further down, and their texts have to be read. */
export const CLOSELY = 20;
/** What the letters count, beside the words. */
const SHARE = 0.7;

/**
 * The index knows words by their stems, and neither common words nor what stands beside what. So the texts of those that
 * it ranks first are read, and what comes nearer to the query letter by letter goes up. Those after these
 * keep their order behind them: a longer list begins with the shorter one.
 */
export function closer<T extends { readonly score: number }>(
  query: string,
  ranked: readonly T[],
  textOf: (one: T) => string,
): { readonly one: T; readonly score: number }[] {
  const near = ngramSimilarity(query, ranked.slice(0, CLOSELY).map(textOf));
  return ranked
    .map((one, at) => ({ one, score: (one.score + SHARE * (near[at] ?? 0)) / (1 + SHARE) }))
    .sort((a, b) => b.score - a.score);
}
