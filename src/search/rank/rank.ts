import type { Database } from "../../store/sqlite/types.ts";
import type { QueryTerm } from "../query-term.ts";
import { type Corpus, corpusOf, entryAt, type OwnerOf, type Place } from "./corpus.ts";
import { type Fusion, fusionOf, type MeaningWeights } from "./fuse.ts";
import type { Nearness } from "./nearness.ts";
import { scoreWords, type WordScores, type WordWeights } from "./score-words.ts";

/** A query as ranking sees it: its words, and its meaning if there is a table. */
export interface Query {
  readonly terms: readonly QueryTerm[];
  /** How near all owners are in meaning, whatever the filter; absent when words alone are searched. */
  readonly nearness?: ((corpus: Corpus) => Nearness) | undefined;
}

export interface RankOptions {
  /** How many of the best to return. */
  readonly limit: number;
  /** Without it every entry is its own owner. */
  readonly ownerOf?: OwnerOf;
  readonly weights: WordWeights;
  readonly meaning: MeaningWeights;
  /** Only these owners count as found; all when absent. */
  readonly among?: ReadonlySet<number> | undefined;
  /** Of equals the newest (the highest number) comes first, else the oldest. */
  readonly isNewestFirst?: boolean;
}

/** For benchmarks: other weights than those in use. */
export interface Tuning {
  readonly weights?: Partial<WordWeights>;
  readonly nearness?: Partial<MeaningWeights>;
  readonly ngrams?: number;
}

export interface Ranked {
  readonly owner: number;
  /** How well it matches by words and meaning together, comparable across queries. Not bounded. */
  readonly strength: number;
  /** By words alone, 0 to 1: relative to a perfect match of all words. */
  readonly words: number;
  /** The cosine of its nearest passage; undefined where it has no vector or there is no table. */
  readonly cosine: number | undefined;
  /** The passage that matched best, or is nearest; undefined where only the title or a name matched and there is no vector. */
  readonly best: Place | undefined;
}

export interface Ranking {
  /** Best first. */
  readonly best: readonly Ranked[];
  /** How many were found. */
  readonly total: number;
  /** The strength of each that was found, in no order. */
  readonly strengths: readonly number[];
}

/**
 * What is weaker and has fewer than half of the words is not found: one common word of a long question is no match. On the
 * development questions it drops half of what has any word and almost no right answer (docs/design/meaning.md). By words
 * alone, where nothing else adds to it, half as much is enough.
 */
const LEAST = 0.1;

/** Ranks all owners that have a word of the query or are near it in meaning. The one ranking of notes and past sessions. */
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
    // As `fuse` does, without a call for each of all owners; NaN adds nothing.
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

/** How many passages of an owner count: the next one would add less than a fiftieth. */
const DEEP = 6;

interface ByOwner {
  /** Of an owner that has a word of the query. */
  scoreOf(owner: number): number;
  /** The best passage of each owner, -1 where there is none. */
  readonly places: Int32Array;
}

/** Also clears the scores in the corpus. */
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

/** Shown is the passage that matches best by words, unless the nearest in meaning has no words to compete with. */
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
    // A match in the title may exceed what the text alone can reach.
    words: Math.min(1, words),
    cosine: Number.isNaN(cosine) ? undefined : cosine,
    best: (isByMeaning ? near?.bestOf(owner) : undefined) ?? entryAt(corpus, byWord),
  };
}

/** Keeps the best of many: most are rejected by one comparison, and few are ever sorted. */
export class TopRanked<T extends { readonly strength: number; readonly owner: number }> {
  private readonly limit: number;
  private readonly isNewestFirst: boolean;
  private kept: T[] = [];
  private least = Number.NEGATIVE_INFINITY;

  constructor(limit: number, isNewestFirst: boolean) {
    this.limit = limit;
    this.isNewestFirst = isNewestFirst;
  }

  /** Whether one of this strength may be among the best. Asked first: most are not, and need not be made. */
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
