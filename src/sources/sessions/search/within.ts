import { nearness } from "../../../search/letters.ts";
import { queryTerms } from "../../../search/query.ts";
import { snippetOf } from "../../../search/snippet.ts";
import { eachTerm } from "../../../search/words.ts";
import type { Passage, RankedPassage } from "../session.ts";

const K1 = 1.2;
const B = 0.75;
const SHORT = 20;

/**
 * The passages of one session that match a question best. The idf of a word is that within this session. Reads the
 * text itself, so that text copied into a fork is found as well.
 */
export function rankWithin(passages: readonly Passage[], question: string, limit: number): RankedPassage[] {
  const terms = queryTerms(question);
  if (terms.length === 0) return [];
  const wanted = new Set(terms);
  const counts = passages.map(({ text }) => countsIn(text, wanted));
  const average = Math.max(
    SHORT,
    counts.reduce((sum, { length }) => sum + length, 0) / Math.max(1, counts.length),
  );
  const idfs = new Map(
    terms.map((term) => {
      const has = counts.filter(({ times }) => times.has(term)).length;
      return [term, Math.log(1 + (counts.length - has + 0.5) / (has + 0.5))];
    }),
  );
  const perfect = [...idfs.values()].reduce((sum, one) => sum + one, 0) * (K1 + 1);
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
  const norm = K1 * (1 - B + (B * Math.max(SHORT, counted.length)) / average);
  let score = 0;
  for (const [term, times] of counted.times)
    score += ((idfs.get(term) ?? 0) * times * (K1 + 1)) / (times + norm);
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
  const near = nearness(query, ranked.slice(0, RERANKED).map(textOf));
  return ranked
    .map((one, at) => ({ one, score: (one.score + SHARE * (near[at] ?? 0)) / (1 + SHARE) }))
    .sort((a, b) => b.score - a.score);
}
