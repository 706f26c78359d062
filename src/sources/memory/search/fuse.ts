import type { VectorScores } from "../vectors/vector-set.ts";
import type { Ranked } from "./rank.ts";

/** A note found by words, by meaning, or by both. */
export interface Fused extends Ranked {
  /** Absent when the score is the text score. */
  readonly textScore?: number;
  readonly semanticScore?: number;
}

/**
 * The share of the semantic score; the rest is the text score. Chosen on the retrieval benchmark, where adding the scores
 * was better than merging the ranks: a score tells how good the best hit is, a rank only that it is the best.
 */
export const SEMANTIC_SHARE = 0.25;

/** A note with a lower cosine or rank is not a hit by meaning alone; its cosine still adds to its text score. */
export const MIN_COSINE = 0.2;
export const MAX_VECTOR_HITS = 500;

/** Text hits and semantic hits in one list, unsorted. A note without vectors keeps its text score. */
export function fuse(
  text: readonly Ranked[],
  vectors: VectorScores,
  isIncluded: (note: number) => boolean,
  share: number = SEMANTIC_SHARE,
): Fused[] {
  const fused: Fused[] = [];
  // The few semantic hits minus the text hits: the other way round would need a set of thousands.
  const semanticHits = new Map(
    vectors.best(MAX_VECTOR_HITS, MIN_COSINE, isIncluded).map((one) => [one.note, one]),
  );
  for (const one of text) {
    const { note, score, passage } = one;
    semanticHits.delete(note);
    const cosine = vectors.cosineOf(note);
    if (cosine === undefined) {
      fused.push(one);
      continue;
    }
    const semanticScore = clamp(cosine);
    const both = share * semanticScore + (1 - share) * score;
    fused.push({ note, passage, score: both, textScore: score, semanticScore });
  }
  for (const { note, passage, cosine } of semanticHits.values()) {
    const semanticScore = clamp(cosine);
    fused.push({ note, passage, score: share * semanticScore, textScore: 0, semanticScore });
  }
  return fused;
}

/** Hits by meaning only. */
export function semanticOnly(vectors: VectorScores, isIncluded: (note: number) => boolean): Fused[] {
  return vectors.best(MAX_VECTOR_HITS, MIN_COSINE, isIncluded).map(({ note, passage, cosine }) => {
    const score = clamp(cosine);
    return { note, passage, score, textScore: 0, semanticScore: score };
  });
}

/** Because of quantisation a cosine may be slightly more than 1. */
const clamp = (cosine: number): number => Math.min(1, Math.max(0, cosine));
