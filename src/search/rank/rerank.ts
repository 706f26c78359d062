import { ngramSimilarity } from "../ngrams.ts";

/** How many of the best are compared: the right one is seldom further down, and their texts must be read. */
export const RERANKED = 20;
/** In a hook, which shows at most three. */
export const RERANKED_IN_HOOK = 8;

/**
 * The index has stems without word order. So the texts of the best hits are read, and those nearest to the query by
 * character n-grams move up: the word itself beats another form of it, and the phrase beats its parts. The others follow
 * in their order: a longer list begins with the shorter one.
 */
export function rerank<T extends { readonly strength: number }>(
  query: string,
  ranked: readonly T[],
  textOf: (one: T) => string,
  share: number,
  most = RERANKED,
): { readonly one: T; readonly strength: number }[] {
  const near = ngramSimilarity(query, ranked.slice(0, most).map(textOf));
  return ranked
    .map((one, at) => ({ one, strength: one.strength + share * (near[at] ?? 0) }))
    .sort((a, b) => b.strength - a.strength);
}

/**
 * How likely the first hit is the right one if it has this strength and there is a right one, 0 to 1: a score that means
 * about the same for every query. Fitted on the development questions (docs/design/meaning.md).
 */
export const likelihood = (strength: number): number => 1 / (1 + Math.exp(-7 * (strength - 0.57)));
