import { type Bm25Weights, idf, lengthNorm, maxScore, termScore } from "../../../search/bm25.ts";
import { IN_NAMES, IN_TITLE } from "../../../search/postings.ts";
import { listsOf } from "../../../search/segment.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import { type Corpus, corpusOf, type Occurrences, occurrencesOf } from "./corpus.ts";

/**
 * A session's score is the sum of its best passages, each weighted half as much as the one before, and of BM25 over
 * all its words; edited files, branch and name add to it. Tuned on one half of the benchmark's questions
 * (docs/design/benchmarks.md).
 */
export interface Weights extends Bm25Weights {
  readonly decay: number;
  readonly whole: number;
  readonly wholeK1: number;
  readonly wholeB: number;
  readonly files: number;
  readonly names: number;
}

export const WEIGHTS: Weights = {
  k1: 1.2,
  b: 0.75,
  minLength: 20,
  decay: 0.5,
  whole: 1,
  wholeK1: 8,
  wholeB: 0.75,
  files: 2,
  names: 2,
};

/** How many passages of a session count: the next one would add less than a fiftieth. */
const DEEP = 6;
/** Rare terms say more and cost less. Of a long query only the rarest terms are used. */
const MOST_TERMS = 16;

export interface RankedSession {
  readonly session: number;
  readonly score: number;
  /** Its best passage; undefined when only its head matched. */
  readonly best: { readonly unit: number; readonly passage: number } | undefined;
}

export interface SessionRanking {
  readonly best: readonly RankedSession[];
  readonly total: number;
}

interface Term {
  readonly lists: ReadonlyMap<number, Uint8Array>;
  readonly size: number;
}

export function rankSessions(
  db: Database,
  words: readonly string[],
  options: { readonly limit: number; readonly among?: ReadonlySet<number>; readonly weights?: Weights },
): SessionRanking {
  const { limit, among, weights = WEIGHTS } = options;
  const corpus = corpusOf(db);
  const { scores: passageScores } = corpus;
  const terms = rarest(words.map((word) => termOf(db, word)));
  const count = corpus.lengths.length;
  const touched: number[] = [];
  const whole = new Float64Array(count);
  const heads = new Float64Array(count);
  const isFound = new Uint8Array(count);
  const isAsked = new Uint8Array(count).fill(among === undefined ? 1 : 0);
  for (const session of among ?? []) isAsked[session] = 1;
  const wholeWeights = { k1: weights.wholeK1, b: weights.wholeB, minLength: 0 };
  let perfect = 0;
  for (const { lists } of terms) {
    const seen = occurrencesOf(corpus, lists, isAsked);
    const passageIdf = idf(corpus.passages, seen.passages);
    const sessionIdf = idf(corpus.sessions, seen.sessions);
    const wholeIdf = weights.whole * sessionIdf;
    perfect += maxScore(passageIdf, weights.k1) * 1.5 + maxScore(wholeIdf, weights.wholeK1) * 0.5;
    for (const session of seen.found) {
      isFound[session] = 1;
      const times = corpus.times[session] ?? 0;
      const norm = lengthNorm(wholeWeights, corpus.lengths[session] ?? 0, corpus.averageSession);
      if (times > 0)
        whole[session] = (whole[session] ?? 0) + termScore(wholeIdf, times, norm, weights.wholeK1);
      const flags = corpus.flags[session] ?? 0;
      if (flags & IN_TITLE) heads[session] = (heads[session] ?? 0) + weights.files * sessionIdf;
      if (flags & IN_NAMES) heads[session] = (heads[session] ?? 0) + weights.names * sessionIdf;
      corpus.times[session] = 0;
      corpus.flags[session] = 0;
    }
    addPassages(corpus, seen, passageIdf, weights, passageScores, touched);
  }
  const ranking = pick(
    corpus,
    { passageScores, touched, whole, heads, isFound },
    weights.decay,
    perfect,
    limit,
  );
  for (const place of touched) passageScores[place] = 0;
  return ranking;
}

function termOf(db: Database, word: string): Term {
  const lists = listsOf(db, Buffer.from(word, "utf8"));
  let size = 0;
  for (const list of lists.values()) size += list.length;
  return { lists, size };
}

function rarest(terms: readonly Term[]): readonly Term[] {
  if (terms.length <= MOST_TERMS) return terms;
  return terms
    .toSorted((a, b) => Number(a.size === 0) - Number(b.size === 0) || a.size - b.size)
    .slice(0, MOST_TERMS);
}

function addPassages(
  { passageLengths, averagePassage }: Corpus,
  { count, places, counts }: Occurrences,
  termIdf: number,
  weights: Weights,
  scores: Float64Array,
  touched: number[],
): void {
  const average = Math.max(weights.minLength, averagePassage);
  for (let at = 0; at < count; at++) {
    const times = counts[at] ?? 0;
    const place = places[at] ?? 0;
    if (times === 0) continue;
    if (scores[place] === 0) touched.push(place);
    const norm = lengthNorm(weights, passageLengths[place] ?? 0, average);
    scores[place] = (scores[place] ?? 0) + termScore(termIdf, times, norm, weights.k1);
  }
}

interface Points {
  readonly passageScores: Float64Array;
  readonly touched: readonly number[];
  readonly whole: Float64Array;
  readonly heads: Float64Array;
  readonly isFound: Uint8Array;
}

function pick(corpus: Corpus, points: Points, decay: number, perfect: number, limit: number): SessionRanking {
  const { passageScores, touched, whole, heads, isFound } = points;
  const top = new Float64Array(isFound.length * DEEP);
  const bestPlace = new Int32Array(isFound.length).fill(-1);
  for (const place of touched) {
    const session = corpus.owners[place] ?? 0;
    const score = passageScores[place] ?? 0;
    const row = session * DEEP;
    let at = DEEP - 1;
    if (score <= (top[row + at] ?? 0)) continue;
    for (; at > 0 && score > (top[row + at - 1] ?? 0); at--) top[row + at] = top[row + at - 1] ?? 0;
    top[row + at] = score;
    if (at === 0) bestPlace[session] = place;
  }
  const found: { session: number; score: number }[] = [];
  for (let session = 1; session < isFound.length; session++) {
    if (isFound[session] !== 1) continue;
    let score = (whole[session] ?? 0) + (heads[session] ?? 0);
    for (let at = 0; at < DEEP; at++) score += (top[session * DEEP + at] ?? 0) * decay ** at;
    found.push({ session, score });
  }
  found.sort((a, b) => b.score - a.score || b.session - a.session);
  const best = found.slice(0, limit).map(({ session, score }) => ({
    session,
    score: Math.min(1, score / Math.max(perfect, 1e-9)),
    best: placeOf(corpus, bestPlace[session] ?? -1),
  }));
  return { best, total: found.length };
}

function placeOf({ segments }: Corpus, place: number): RankedSession["best"] {
  const found = segments.findLast(({ start }) => place >= start);
  if (place < 0 || found === undefined) return undefined;
  const { notes } = found.segment;
  const at = place - found.start;
  let first = at;
  while (first > 0 && notes[first - 1] === notes[at]) first--;
  return { unit: notes[at] ?? 0, passage: at - first };
}
