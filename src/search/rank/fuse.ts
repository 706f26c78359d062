/** How meaning counts besides words. Chosen on the benchmark (docs/design/meaning.md). */
export interface MeaningWeights {
  /** What each standard deviation above `from` adds to the share of matched words. */
  readonly weight: number;
  /** How many times more meaning counts if nothing contains any of the words: then the query is phrased differently. */
  readonly inOtherWords: number;
  /** In standard deviations above this query's mean cosine: only a nearer owner counts. */
  readonly from: number;
  /** A nearer owner is found even without a word of the query. */
  readonly found: number;
  /**
   * The same if nothing contains half of the words: then the query is phrased differently, and a small store has few
   * owners to compare.
   */
  readonly foundAlone: number;
}

export interface Fusion {
  (words: number, cosine: number): number;
  /** The mean and deviation of all owners' cosines. */
  readonly mean: number;
  readonly deviation: number;
  /** What each standard deviation adds. */
  readonly weight: number;
  /** The cosine from which an owner is found without its words. `isAlone`: nothing contains half of the words. */
  nearFrom(isAlone: boolean): number;
  /** Whether it is found by meaning rather than by words. */
  isByMeaning(words: number, cosine: number): boolean;
}

/** With fewer owners a standard deviation says nothing, so typical values are mixed in. */
const USUAL = { owners: 20, mean: 0.12, deviation: 0.1 };
/** If something contains this share of the words, the query uses the words of what it looks for. */
const COVERED = 0.6;

/**
 * Cosines of different queries are not comparable: a vague query is near to everything. So a cosine counts by how far
 * it stands out among those of the same query. `coverage`: the largest share of the words that anything contains.
 */
export function fusionOf(cosines: Float32Array | undefined, weights: MeaningWeights, coverage = 1): Fusion {
  const { mean, deviation } = cosines === undefined ? USUAL : spreadOf(cosines);
  const above = (cosine: number): number =>
    Number.isNaN(cosine) ? 0 : Math.max(0, (cosine - mean) / deviation - weights.from);
  const weight = weights.weight * (1 + weights.inOtherWords * Math.max(0, 1 - coverage / COVERED));
  const fuse = (words: number, cosine: number): number => words + weight * above(cosine);
  return Object.assign(fuse, {
    mean,
    deviation,
    weight,
    nearFrom: (isAlone: boolean) => mean + deviation * (isAlone ? weights.foundAlone : weights.found),
    isByMeaning: (words: number, cosine: number) => weight * above(cosine) > words,
  });
}

function spreadOf(cosines: Float32Array): { readonly mean: number; readonly deviation: number } {
  let { owners: count } = USUAL;
  let sum = count * USUAL.mean;
  let squares = count * (USUAL.mean ** 2 + USUAL.deviation ** 2);
  // By index: a hook runs this once, unoptimised, and `for … of` would take several times as long.
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
