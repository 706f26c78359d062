import type { Ranked } from "../../../search/best.ts";
import type { Nearness } from "../vectors/vector-set.ts";

/** Found by words, by meaning, or by both. */
export interface Fused extends Ranked {
  /** The score itself where nothing else went into it. */
  readonly textScore?: number;
  readonly semanticScore?: number;
}

/**
 * How much of a score is meaning; the rest is words. Chosen on the retrieval benchmark, where adding the two scores was
 * better than merging the two orders: a score says how good the best hit is, a rank only that it is the best.
 */
export const SEMANTIC_SHARE = 0.25;

/** What is less near than this, or further down, is no match of its own, only a part of a score. */
const LEAST_NEAR = 0.2;
const MOST_NEAR = 500;

/** Text hits and near notes in one list, in no order. A note that has no vectors yet is judged by its words alone. */
export function fuse(
  text: readonly Ranked[],
  near: Nearness,
  isMeant: (note: number) => boolean,
  share: number = SEMANTIC_SHARE,
): Fused[] {
  const fused: Fused[] = [];
  // The few that are near, minus those that have the words: the other way round would be a set of thousands.
  const nearOnly = new Map(near.best(MOST_NEAR, LEAST_NEAR, isMeant).map((one) => [one.note, one]));
  for (const one of text) {
    const { note, score, passage } = one;
    nearOnly.delete(note);
    const cosine = near.cosineOf(note);
    if (cosine === undefined) {
      fused.push(one);
      continue;
    }
    const semanticScore = clamp(cosine);
    const both = share * semanticScore + (1 - share) * score;
    fused.push({ note, passage, score: both, textScore: score, semanticScore });
  }
  for (const { note, passage, cosine } of nearOnly.values()) {
    const semanticScore = clamp(cosine);
    fused.push({ note, passage, score: share * semanticScore, textScore: 0, semanticScore });
  }
  return fused;
}

/** By meaning alone. */
export function byMeaning(near: Nearness, isMeant: (note: number) => boolean): Fused[] {
  return near.best(MOST_NEAR, LEAST_NEAR, isMeant).map(({ note, passage, cosine }) => {
    const score = clamp(cosine);
    return { note, passage, score, textScore: 0, semanticScore: score };
  });
}

/** Rounding to bytes may give a little more than 1. */
const clamp = (cosine: number): number => Math.min(1, Math.max(0, cosine));
