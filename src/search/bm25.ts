/**
 * BM25, the ranking formula behind every search by words. Each caller has its own weights, chosen on a benchmark
 * (docs/design/benchmarks.md).
 */
export interface Bm25Weights {
  /** Term frequency saturation: with a small k1, repeating a term adds little. */
  readonly k1: number;
  /** How much long texts are penalised, from 0 (not at all) to 1. */
  readonly b: number;
  /** Shorter texts count as this long, because the length of a sentence says nothing about its topic. */
  readonly minLength: number;
}

/** Inverse document frequency: the fewer texts contain a term, the more it counts. Never negative. */
export function idf(texts: number, textsWithTerm: number): number {
  return Math.log(1 + (texts - textsWithTerm + 0.5) / (textsWithTerm + 0.5));
}

/** The average length that `lengthNorm` compares with. */
export function averageLength(total: number, texts: number, { minLength }: Bm25Weights): number {
  return Math.max(minLength, total / Math.max(1, texts));
}

/** The part of the formula that depends only on the text. */
export function lengthNorm({ k1, b, minLength }: Bm25Weights, length: number, average: number): number {
  return k1 * (1 - b + (b * Math.max(minLength, length)) / average);
}

/** What one term adds to the score of a text in which it occurs `count` times. */
export function termScore(termIdf: number, count: number, norm: number, k1: number): number {
  return (termIdf * count * (k1 + 1)) / (count + norm);
}

/** The upper bound of a score: the sum of the terms' idf, as if each were repeated without end. */
export function maxScore(idfSum: number, k1: number): number {
  return idfSum * (k1 + 1);
}
