import type { Database } from "../../store/sqlite/types.ts";
import { type Bm25Weights, idf, lengthNorm, maxScore, termScore } from "../bm25.ts";
import { COUNT, IN_NAMES, IN_TITLE } from "../postings.ts";
import type { Match, QueryTerm } from "../query-term.ts";
import { listsOf } from "../segment.ts";
import { bothOf, type Corpus, type Occurrences, occurrencesOf } from "./corpus.ts";

/**
 * How words count. An owner's score is the sum of three parts: its best passages, each weighted `decay` times the one
 * before; BM25 over all its words (`whole`); its title and names. Each source has its own weights, chosen on a
 * benchmark (docs/design/benchmarks.md).
 */
export interface WordWeights extends Bm25Weights {
  readonly decay: number;
  readonly whole: number;
  readonly wholeK1: number;
  readonly wholeB: number;
  /** A term in the title or among the names adds this many times its idf. */
  readonly title: number;
  readonly names: number;
  /** How many perfectly matching passages make a perfect score. */
  readonly perfectPassages: number;
  /** The weight of another form of the word ("product" for "production"), if the word itself occurs at all. */
  readonly otherForm: number;
}

/** In a query with fewer words, other forms count less: see `scoreWords`. */
const FEW_TERMS = 4;

/** How well every passage and owner matches the words of a query. */
export interface WordScores {
  /** The passages that contain a word; their scores are in the corpus until they are cleared. */
  readonly touched: Int32Array;
  /** By owner. */
  readonly whole: Float64Array;
  readonly heads: Float64Array;
  /** How many of the words each owner contains. */
  readonly matched: Uint16Array;
  /** The maximum of `matched`. */
  readonly mostMatched: number;
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
  // In a one-word query the form matters most; in a sentence the other words make the meaning clear.
  const weights = { ...given, otherForm: given.otherForm ** Math.max(1, FEW_TERMS / terms.length) };
  const touched = new Int32Array(corpus.owners.length);
  const norms = new Float64Array(LENGTHS);
  let count = 0;
  const scores = {
    touched,
    whole: new Float64Array(corpus.span),
    heads: new Float64Array(corpus.span),
    matched: new Uint16Array(corpus.span),
    mostMatched: 0,
    perfect: 0,
  };
  const scratch = scratchFor(corpus.span);
  for (const { matches } of terms) {
    const seen = matches.map((match) => seenOf(db, corpus, match, isAsked, weights));
    // A word that no passage contains counts as the rarest, which lowers the score of partial matches.
    const passageIdf = idf(corpus.passages, most(corpus.passages, seen, "passages"));
    const ownerIdf = idf(corpus.ownerCount, most(corpus.ownerCount, seen, "owners"));
    scores.perfect +=
      maxScore(passageIdf, weights.k1) * weights.perfectPassages +
      maxScore(weights.whole * ownerIdf, weights.wholeK1) * 0.5;
    count = addPassages(corpus, seen, passageIdf, weights, norms, touched, count);
    addOwners(corpus, seen, ownerIdf, weights, scores, scratch);
  }
  return { ...scores, touched: touched.subarray(0, count) };
}

interface Seen {
  readonly at: Occurrences;
  /** The typed form, its weight, and that of other forms. */
  readonly form: number;
  readonly weight: number;
  readonly otherWeight: number;
}

/** Other forms of a word count less if the word itself occurs elsewhere. */
function seenOf(
  db: Database,
  corpus: Corpus,
  match: Match,
  isAsked: Uint8Array,
  { otherForm }: WordWeights,
): Seen {
  const { weight, form } = match;
  const at = placesOf(db, corpus, match, isAsked);
  const isWritten = (at.forms & form) !== 0;
  return { at, form, weight, otherWeight: isWritten ? weight * otherForm : weight };
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

/** How many passages or owners contain the word in any variant. Those with two variants are counted twice. */
function most(all: number, seen: readonly Seen[], what: "passages" | "owners"): number {
  return Math.min(
    all,
    seen.reduce((sum, { at }) => sum + at[what], 0),
  );
}

/**
 * If a passage contains several variants of the word, the best one counts. By passage; reused, all zero between terms.
 */
let best = new Float64Array();

/** What this variant adds to the best one so far. */
function gainOf(place: number, value: number): number {
  const before = best[place] ?? 0;
  if (value <= before) return 0;
  best[place] = value;
  return value - before;
}

function clearBest(seen: readonly Seen[]): void {
  for (const { at } of seen) for (const place of at.places) best[place] = 0;
}

/** The length of a passage has 16 bits. */
const LENGTHS = 2 ** 16;

/**
 * `norms`: by length, 0 if not computed yet. Calls no function for each of perhaps 100,000 passages, because a process
 * that searches once runs this before V8 optimises it. Returns the number of entries in `touched`.
 */
function addPassages(
  { passageLengths, averagePassage, scores }: Corpus,
  seen: readonly Seen[],
  termIdf: number,
  weights: WordWeights,
  norms: Float64Array,
  touched: Int32Array,
  before: number,
): number {
  const average = Math.max(weights.minLength, averagePassage);
  const unbounded = weights.k1 + 1;
  let count = before;
  const isSeveral = seen.length > 1;
  if (isSeveral && best.length < scores.length) best = new Float64Array(scores.length);
  for (const one of seen) {
    const { form, weight, otherWeight } = one;
    const { places, flags } = one.at;
    for (let at = 0; at < places.length; at++) {
      const place = places[at] as number;
      const flag = flags[at] as number;
      const times = flag & COUNT;
      if (times === 0) continue;
      const length = passageLengths[place] as number;
      let norm = norms[length] as number;
      if (norm === 0) {
        norm = lengthNorm(weights, length, average);
        norms[length] = norm;
      }
      const counts = (flag & form) === 0 ? otherWeight : weight;
      // Inlines `termScore`.
      const whole = counts * ((termIdf * times * unbounded) / (times + norm));
      const score = isSeveral ? gainOf(place, whole) : whole;
      if (score === 0) continue;
      const sum = scores[place] as number;
      if (sum === 0) touched[count++] = place;
      scores[place] = sum + score;
    }
  }
  if (isSeveral) clearBest(seen);
  return count;
}

/** For the current term, by owner; all zero between terms. */
interface Scratch {
  readonly isFound: Uint8Array;
  /** How often the term occurs. */
  readonly times: Float64Array;
  /** The score of its title and names. */
  readonly heads: Float64Array;
}

const scratchFor = (span: number): Scratch => ({
  isFound: new Uint8Array(span),
  times: new Float64Array(span),
  heads: new Float64Array(span),
});

/** Adds the term's score for owners as a whole. */
function addOwners(
  corpus: Corpus,
  seen: readonly Seen[],
  ownerIdf: number,
  weights: WordWeights,
  scores: { -readonly [K in keyof WordScores]: WordScores[K] },
  { isFound, times, heads }: Scratch,
): void {
  const { owners } = corpus;
  const found: number[] = [];
  const isSeveral = seen.length > 1;
  // Notes count by their best passage, so their total length and term counts are not needed.
  const lengths = weights.whole > 0 ? corpus.lengths() : undefined;
  for (const { at, form, weight, otherWeight } of seen) {
    const { places, flags } = at;
    for (let i = 0; i < places.length; i++) {
      const place = places[i] as number;
      const owner = owners[place] as number;
      const flag = flags[i] as number;
      if (isFound[owner] === 0) {
        isFound[owner] = 1;
        found.push(owner);
      }
      const counts = (flag & form) === 0 ? otherWeight : weight;
      if (lengths !== undefined) {
        const count = counts * (flag & COUNT);
        times[owner] = (times[owner] as number) + (isSeveral ? gainOf(place, count) : count);
      }
      if ((flag & (IN_TITLE | IN_NAMES)) === 0) continue;
      const head = (flag & IN_TITLE ? weights.title : 0) + (flag & IN_NAMES ? weights.names : 0);
      heads[owner] = Math.max(heads[owner] as number, head * counts);
    }
  }
  if (isSeveral) clearBest(seen);
  const wholeWeights = { k1: weights.wholeK1, b: weights.wholeB, minLength: 0 };
  const { matched, whole } = scores;
  for (let i = 0; i < found.length; i++) {
    const owner = found[i] as number;
    const has = (matched[owner] as number) + 1;
    matched[owner] = has;
    if (has > scores.mostMatched) scores.mostMatched = has;
    if (lengths !== undefined) {
      const norm = lengthNorm(wholeWeights, lengths[owner] as number, corpus.averageOwner);
      whole[owner] =
        (whole[owner] as number) +
        termScore(weights.whole * ownerIdf, times[owner] as number, norm, weights.wholeK1);
      times[owner] = 0;
    }
    isFound[owner] = 0;
    if (heads[owner] === 0) continue;
    scores.heads[owner] = (scores.heads[owner] as number) + (heads[owner] as number) * ownerIdf;
    heads[owner] = 0;
  }
}
