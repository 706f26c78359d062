/** How meaning counts beside words. Chosen on the benchmark (docs/design/meaning.md). */
export interface MeaningWeights {
  /** What one standard deviation above `from` adds to the share of words. */
  readonly weight: number;
  /** In standard deviations above the mean cosine of this query: what is nearer than that counts. */
  readonly from: number;
  /** What is nearer than that is found without a word of the query. */
  readonly found: number;
  /** The same where nothing has half of the words: then the query is in other words, and a small store has few to compare. */
  readonly foundAlone: number;
}

export interface Fusion {
  (words: number, cosine: number): number;
  /** Of the cosines of all owners. */
  readonly mean: number;
  readonly deviation: number;
  /** What is nearer is found without its words; `isAlone`: nothing has half of the words. */
  nearFrom(isAlone: boolean): number;
  /** Found by meaning rather than by words. */
  isByMeaning(words: number, cosine: number): boolean;
}

/** With this few owners a standard deviation says nothing: then a usual one is assumed too. */
const USUAL = { owners: 20, mean: 0.12, deviation: 0.1 };

/**
 * Cosines of different queries are not comparable: a vague query is somewhat near to everything. So a cosine counts by
 * how far it stands out among those of the same query.
 */
export function fusionOf(cosines: Float32Array | undefined, weights: MeaningWeights): Fusion {
  const { mean, deviation } = cosines === undefined ? USUAL : spreadOf(cosines);
  const above = (cosine: number): number =>
    Number.isNaN(cosine) ? 0 : Math.max(0, (cosine - mean) / deviation - weights.from);
  const fuse = (words: number, cosine: number): number => words + weights.weight * above(cosine);
  return Object.assign(fuse, {
    mean,
    deviation,
    nearFrom: (isAlone: boolean) => mean + deviation * (isAlone ? weights.foundAlone : weights.found),
    isByMeaning: (words: number, cosine: number) => weights.weight * above(cosine) > words,
  });
}

function spreadOf(cosines: Float32Array): { readonly mean: number; readonly deviation: number } {
  let { owners: count } = USUAL;
  let sum = count * USUAL.mean;
  let squares = count * (USUAL.mean ** 2 + USUAL.deviation ** 2);
  // By place: a hook runs this once, not optimised, and `for … of` would take several times as long.
  for (let at = 0; at < cosines.length; at++) {
    const cosine = cosines[at] as number;
    if (Number.isNaN(cosine)) continue;
    count++;
    sum += cosine;
    squares += cosine * cosine;
  }
  const mean = sum / count;
  return { mean, deviation: Math.sqrt(Math.max(1e-4, squares / count - mean * mean)) };
}
