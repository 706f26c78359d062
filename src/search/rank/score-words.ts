import type { Database } from "../../store/sqlite/types.ts";
import { type Bm25Weights, idf, lengthNorm, maxScore, termScore } from "../bm25.ts";
import { COUNT, IN_NAMES, IN_TITLE } from "../postings.ts";
import type { Match, QueryTerm } from "../query/expand.ts";
import { listsOf } from "../segment.ts";
import { bothOf, type Corpus, type Occurrences, occurrencesOf } from "./corpus.ts";

/**
 * How words count. An owner's score is the sum of its best passages, each weighted `decay` times the one before, of BM25
 * over all its words (`whole`), and of its title and names. Each source has its own weights, chosen on a benchmark
 * (docs/design/benchmarks.md).
 */
export interface WordWeights extends Bm25Weights {
  readonly decay: number;
  readonly whole: number;
  readonly wholeK1: number;
  readonly wholeB: number;
  /** A term in the title, or among names, adds this many times its idf. */
  readonly title: number;
  readonly names: number;
  /** How many passages that match perfectly make a perfect score. */
  readonly perfectPassages: number;
  /** What another form of the word counts ("product" for "production"), where the word itself occurs at all. */
  readonly otherForm: number;
}

/** In a query of fewer words another form counts less, see `scoreWords`. */
const FEW_TERMS = 4;

/** What the words of a query say of every passage and owner. */
export interface WordScores {
  /** Passages with a word; their scores are in the corpus until they are cleared. */
  readonly touched: readonly number[];
  /** By owner. */
  readonly whole: Float64Array;
  readonly heads: Float64Array;
  /** How many of the words it has. */
  readonly matched: Uint16Array;
  /** The score of an owner that matches every word perfectly. */
  readonly perfect: number;
}

export function scoreWords(
  db: Database,
  corpus: Corpus,
  terms: readonly QueryTerm[],
  isAsked: Uint8Array,
  given: WordWeights,
): WordScores {
  // Of one word the form matters most; in a sentence the other words tell what is meant.
  const weights = { ...given, otherForm: given.otherForm ** Math.max(1, FEW_TERMS / terms.length) };
  const count = corpus.lengths.length;
  const scores = {
    touched: [] as number[],
    whole: new Float64Array(count),
    heads: new Float64Array(count),
    matched: new Uint16Array(count),
    perfect: 0,
  };
  const wholeWeights = { k1: weights.wholeK1, b: weights.wholeB, minLength: 0 };
  // For the current term, by owner: how often it occurs, and its best head. Zero between terms.
  const times = new Float64Array(count);
  const heads = new Float64Array(count);
  for (const { matches } of terms) {
    const seen = matches.map((match) => ({ match, at: placesOf(db, corpus, match, isAsked) }));
    // A word that no passage has counts as the rarest: it lowers the score of what matches only the rest of the query.
    const passageIdf = idf(corpus.passages, most(corpus.passages, seen, "passages"));
    const ownerIdf = idf(corpus.ownerCount, most(corpus.ownerCount, seen, "owners"));
    scores.perfect +=
      maxScore(passageIdf, weights.k1) * weights.perfectPassages +
      maxScore(weights.whole * ownerIdf, weights.wholeK1) * 0.5;
    addPassages(corpus, seen, passageIdf, weights, scores.touched);
    for (const owner of ownersOf(corpus, seen, weights, times, heads)) {
      scores.matched[owner] = (scores.matched[owner] ?? 0) + 1;
      const norm = lengthNorm(wholeWeights, corpus.lengths[owner] ?? 0, corpus.averageOwner);
      const whole = termScore(weights.whole * ownerIdf, times[owner] ?? 0, norm, weights.wholeK1);
      scores.whole[owner] = (scores.whole[owner] ?? 0) + whole;
      scores.heads[owner] = (scores.heads[owner] ?? 0) + (heads[owner] ?? 0) * ownerIdf;
      times[owner] = 0;
      heads[owner] = 0;
    }
  }
  return scores;
}

interface Seen {
  readonly match: Match;
  readonly at: Occurrences;
}

function placesOf(db: Database, corpus: Corpus, { terms }: Match, isAsked: Uint8Array): Occurrences {
  const occurrences = (term: string, filter: Uint8Array): Occurrences =>
    occurrencesOf(corpus, listsOf(db, Buffer.from(term, "utf8")), filter);
  const [first, second] = terms;
  if (first === undefined) throw new Error("a match without terms");
  if (second === undefined) return occurrences(first, isAsked);
  const all = new Uint8Array(isAsked.length).fill(1);
  return bothOf(corpus, occurrences(first, all), occurrences(second, all), isAsked);
}

/** Passages or owners that have the word in any of its ways. Some have two ways and are counted twice. */
function most(all: number, seen: readonly Seen[], what: "passages" | "owners"): number {
  return Math.min(
    all,
    seen.reduce((sum, { at }) => sum + at[what], 0),
  );
}

/** What each occurrence of a match counts: less if it is another form of the word, and the word itself occurs elsewhere. */
function formWeight({ match, at }: Seen, { otherForm }: WordWeights): (flags: number) => number {
  const { weight, form } = match;
  const isWritten = (at.forms & form) !== 0;
  return (flags) => (isWritten && (flags & form) === 0 ? weight * otherForm : weight);
}

/** If a passage has the word in several ways, the best one counts. By passage; reused, all zero between terms. */
let best = new Float64Array();

/** What this way adds to the best one before. */
function gainOf(place: number, value: number): number {
  const before = best[place] ?? 0;
  if (value <= before) return 0;
  best[place] = value;
  return value - before;
}

function clearBest(seen: readonly Seen[]): void {
  for (const { at } of seen) for (const place of at.places) best[place] = 0;
}

function addPassages(
  { passageLengths, averagePassage, scores }: Corpus,
  seen: readonly Seen[],
  termIdf: number,
  weights: WordWeights,
  touched: number[],
): void {
  const average = Math.max(weights.minLength, averagePassage);
  const isSeveral = seen.length > 1;
  if (isSeveral && best.length < scores.length) best = new Float64Array(scores.length);
  for (const one of seen) {
    const { places, flags } = one.at;
    const weightOf = formWeight(one, weights);
    for (let at = 0; at < places.length; at++) {
      const place = places[at] as number;
      const times = (flags[at] as number) & COUNT;
      if (times === 0) continue;
      const norm = lengthNorm(weights, passageLengths[place] ?? 0, average);
      const whole = weightOf(flags[at] as number) * termScore(termIdf, times, norm, weights.k1);
      const score = isSeveral ? gainOf(place, whole) : whole;
      if (score === 0) continue;
      if (scores[place] === 0) touched.push(place);
      scores[place] = (scores[place] ?? 0) + score;
    }
  }
  if (isSeveral) clearBest(seen);
}

/** The owners that have the word, and fills `times` and `heads` for them. */
function ownersOf(
  { owners }: Corpus,
  seen: readonly Seen[],
  weights: WordWeights,
  times: Float64Array,
  heads: Float64Array,
): Set<number> {
  const found = new Set<number>();
  const isSeveral = seen.length > 1;
  for (const one of seen) {
    const { places, flags } = one.at;
    const weightOf = formWeight(one, weights);
    let before = 0;
    for (let at = 0; at < places.length; at++) {
      const place = places[at] as number;
      const owner = owners[place] as number;
      const flag = flags[at] as number;
      if (owner !== before) found.add(owner);
      before = owner;
      const weight = weightOf(flag);
      const count = weight * (flag & COUNT);
      times[owner] = (times[owner] ?? 0) + (isSeveral ? gainOf(place, count) : count);
      if ((flag & (IN_TITLE | IN_NAMES)) === 0) continue;
      const head = (flag & IN_TITLE ? weights.title : 0) + (flag & IN_NAMES ? weights.names : 0);
      heads[owner] = Math.max(heads[owner] ?? 0, head * weight);
    }
  }
  if (isSeveral) clearBest(seen);
  return found;
}
