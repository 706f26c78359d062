import { ngramSimilarity } from "../../../search/ngrams.ts";

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
