import type { Database } from "../../store/sqlite/types.ts";
import type { QueryTerm } from "../query-term.ts";
import { type Corpus, corpusOf, entryAt, type OwnerOf, type Place } from "./corpus.ts";
import { type Fusion, fusionOf, type MeaningWeights } from "./fuse.ts";
import type { Nearness } from "./nearness.ts";
import { scoreWords, type WordScores, type WordWeights } from "./score-words.ts";

/** A query for ranking: its words, and its meaning if there is a table. */
export interface Query {
  readonly terms: readonly QueryTerm[];
  /** How near all owners are in meaning, regardless of the filter; absent if only words are searched. */
  readonly nearness?: ((corpus: Corpus) => Nearness) | undefined;
}

export interface RankOptions {
  /** How many of the best to return. */
  readonly limit: number;
  /** Without it every entry is its own owner. */
  readonly ownerOf?: OwnerOf;
  readonly weights: WordWeights;
  readonly meaning: MeaningWeights;
  /** Only these owners count as found (default: all). */
  readonly among?: ReadonlySet<number> | undefined;
  /** Among equals, newest first (highest number); otherwise oldest first. */
  readonly isNewestFirst?: boolean;
}

/** For benchmarks: replaces the weights. */
export interface Tuning {
  readonly weights?: Partial<WordWeights>;
  readonly nearness?: Partial<MeaningWeights>;
  readonly ngrams?: number;
}

export interface Ranked {
  readonly owner: number;
  /** How well it matches by words and meaning together; comparable across queries, unbounded. */
  readonly strength: number;
  /** By words alone, from 0 to 1, relative to a perfect match of all words. */
  readonly words: number;
  /** The cosine of its nearest passage; undefined if it has no vector or there is no table. */
  readonly cosine: number | undefined;
  /**
   * The passage that matched best, or else the nearest; undefined if only the title or a name matched and there is no
   * vector.
   */
  readonly best: Place | undefined;
}

export interface Ranking {
  /** Best first. */
  readonly best: readonly Ranked[];
  /** How many were found in total. */
  readonly total: number;
  /** The strengths of all that were found, unordered. */
  readonly strengths: readonly number[];
}

/**
 * A weaker result with fewer than half of the words is dropped: one common word of a long question is not a match. On
 * the development questions this drops half of all partial matches and almost no right answer (docs/design/meaning.md).
 * With words alone, where meaning adds nothing, half of it is enough.
 */
const LEAST = 0.1;

/**
 * Ranks all owners that contain a word of the query or are near it in meaning. Notes and past sessions are both ranked
 * by this.
 */
export function rank(db: Database, { terms, nearness }: Query, options: RankOptions): Ranking {
  const { weights, meaning, among, limit } = options;
  const corpus = corpusOf(db, options.ownerOf);
  if (corpus.passages === 0) return { best: [], total: 0, strengths: [] };
  const isAsked = new Uint8Array(corpus.span).fill(among === undefined ? 1 : 0);
  for (const owner of among ?? []) isAsked[owner] = 1;
  isAsked[0] = 0;
  const words = scoreWords(db, corpus, terms, isAsked, weights);
  const byWords = wordsByOwner(corpus, words, weights.decay);
  const near = nearness?.(corpus);
  const fuse = fusionOf(near?.cosines, meaning, words.mostMatched / Math.max(1, terms.length));
  const isByWords = near === undefined || near.cosines.every(Number.isNaN);
  const least = isByWords ? LEAST / 2 : LEAST;
  const half = Math.max(1, terms.length / 2);
  const perfect = Math.max(words.perfect, 1e-9);
  const nearFrom = fuse.nearFrom(words.mostMatched < half);
  const top = new TopRanked<Candidate>(limit, options.isNewestFirst === true);
  const strengths: number[] = [];
  for (let owner = 1; owner < isAsked.length; owner++) {
    if (isAsked[owner] === 0) continue;
    const cosine = near === undefined ? Number.NaN : (near.cosines[owner] ?? Number.NaN);
    const matched = words.matched[owner] as number;
    const isNear = cosine > nearFrom;
    if (matched === 0 && !isNear) continue;
    const share = matched === 0 ? 0 : byWords.scoreOf(owner) / perfect;
    // Inlines `fuse`, to avoid a call for each owner; NaN adds nothing.
    const standout = (cosine - fuse.mean) / fuse.deviation - meaning.from;
    const strength = standout > 0 ? share + fuse.weight * standout : share;
    if (matched < half && strength < least && !isNear) continue;
    strengths.push(strength);
    if (top.takes(strength)) top.add({ owner, strength, words: share, cosine });
  }
  return {
    best: top.sorted().map((one) => rankedOf(one, corpus, byWords, near, fuse)),
    total: strengths.length,
    strengths,
  };
}

interface Candidate {
  readonly owner: number;
  readonly strength: number;
  readonly words: number;
  readonly cosine: number;
}

/** How many passages of an owner count: another one would add less than 2 %. */
const DEEP = 6;

interface ByOwner {
  /** The score of an owner that contains a word of the query. */
  scoreOf(owner: number): number;
  /** The best passage of each owner, -1 where there is none. */
  readonly places: Int32Array;
}

/** Computes the scores by owner, and clears the passages' scores in the corpus. */
function wordsByOwner({ owners, scores }: Corpus, words: WordScores, decay: number): ByOwner {
  const { touched, whole, heads } = words;
  const count = words.matched.length;
  const deep = decay === 0 ? 1 : DEEP;
  const shares = Array.from({ length: deep }, (_, at) => decay ** at);
  const top = new Float64Array(count * deep);
  const places = new Int32Array(count).fill(-1);
  for (let i = 0; i < touched.length; i++) {
    const place = touched[i] as number;
    const owner = owners[place] as number;
    const score = scores[place] as number;
    scores[place] = 0;
    const row = owner * deep;
    let at = deep - 1;
    if (score <= (top[row + at] as number)) continue;
    for (; at > 0 && score > (top[row + at - 1] as number); at--) top[row + at] = top[row + at - 1] as number;
    top[row + at] = score;
    if (at === 0) places[owner] = place;
  }
  return {
    places,
    scoreOf(owner) {
      let score = (whole[owner] as number) + (heads[owner] as number);
      for (let at = 0; at < deep; at++) score += (top[owner * deep + at] as number) * (shares[at] as number);
      return score;
    },
  };
}

/** Shows the passage that matches best by words, or the nearest in meaning if no words match. */
function rankedOf(
  { owner, strength, words, cosine }: Candidate,
  corpus: Corpus,
  byWords: ByOwner,
  near: Nearness | undefined,
  fuse: Fusion,
): Ranked {
  const byWord = byWords.places[owner] ?? -1;
  const isByMeaning = byWord < 0 || fuse.isByMeaning(words, cosine);
  return {
    owner,
    strength,
    // A title match can exceed the maximum of the text alone.
    words: Math.min(1, words),
    cosine: Number.isNaN(cosine) ? undefined : cosine,
    best: (isByMeaning ? near?.bestOf(owner) : undefined) ?? entryAt(corpus, byWord),
  };
}

/** Keeps the best of many. Most are rejected by one comparison, so few are ever sorted. */
export class TopRanked<T extends { readonly strength: number; readonly owner: number }> {
  private readonly limit: number;
  private readonly isNewestFirst: boolean;
  private kept: T[] = [];
  private least = Number.NEGATIVE_INFINITY;

  constructor(limit: number, isNewestFirst: boolean) {
    this.limit = limit;
    this.isNewestFirst = isNewestFirst;
  }

  /**
   * Whether a result of this strength could be among the best. Checked first, because most are not and need not be
   * built.
   */
  takes(strength: number): boolean {
    return strength >= this.least;
  }

  add(one: T): void {
    this.kept.push(one);
    if (this.kept.length >= 2 * this.limit + 64) this.cut();
  }

  /** Best first. */
  sorted(): T[] {
    this.cut();
    return this.kept;
  }

  private cut(): void {
    const tie = this.isNewestFirst ? -1 : 1;
    this.kept.sort((a, b) => b.strength - a.strength || tie * (a.owner - b.owner));
    this.kept.length = Math.min(this.kept.length, this.limit);
    if (this.kept.length === this.limit) this.least = this.kept.at(-1)?.strength ?? this.least;
  }
}
