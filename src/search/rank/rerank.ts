import { ngramSimilarity } from "../ngrams.ts";

/** How many of the best are compared: the right one is seldom further down, and their texts must be read. */
export const RERANKED = 20;

/**
 * The index has stems without word order. So the texts of the best hits are read, and those nearest to the query by
 * character n-grams move up: the word itself beats another form of it, and the phrase beats its parts. The others follow
 * in their order: a longer list begins with the shorter one.
 */
export function rerank<T extends { readonly score: number }>(
  query: string,
  ranked: readonly T[],
  textOf: (one: T) => string,
  share: number,
): { readonly one: T; readonly score: number }[] {
  const near = ngramSimilarity(query, ranked.slice(0, RERANKED).map(textOf));
  return ranked
    .map((one, at) => ({ one, score: one.score + share * (near[at] ?? 0) }))
    .sort((a, b) => b.score - a.score);
}
