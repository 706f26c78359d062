import { idf, lengthNorm, maxScore, termScore } from "../../../src/search/bm25.ts";
import { FORMS } from "../../../src/search/postings.ts";
import type { Match, QueryTerm } from "../../../src/search/query-term.ts";
import type { MeaningWeights } from "../../../src/search/rank/fuse.ts";
import type { WordWeights } from "../../../src/search/rank/score-words.ts";
import { wordOf } from "../../../src/search/words.ts";

export interface Entry {
  readonly owner: number;
  readonly texts: readonly string[];
  readonly title: string;
  readonly names: string;
}

export interface NaiveRanked {
  readonly owner: number;
  readonly strength: number;
  readonly words: number;
  /** By words alone; 0 where only the title or a name matches. */
  readonly bestPassage: number;
}

export interface Naive {
  readonly found: readonly NaiveRanked[];
  /** Score of a passage by words. */
  scoreOf(entry: number, passage: number): number;
}

interface Passage {
  readonly owner: number;
  readonly entry: number;
  readonly at: number;
  readonly text: readonly string[];
  readonly title: readonly string[];
  readonly names: readonly string[];
}

/** How a passage has a word in one way. */
interface Way {
  readonly times: number;
  readonly forms: number;
  readonly isInTitle: boolean;
  readonly isInNames: boolean;
}

const MOST_COUNTED = 7;
const DEEP = 6;
const LEAST = 0.1;
const FEW_TERMS = 4;
const COVERED = 0.6;
const USUAL = { owners: 20, mean: 0.12, deviation: 0.1 };

const split = (text: string): string[] => text.split(" ").filter((word) => word !== "");
const sumOf = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0);

/** The ranking by its definition, from the texts: no index, no postings. Slow. */
export function naiveRanking(
  entries: ReadonlyMap<number, Entry>,
  terms: readonly QueryTerm[],
  given: WordWeights,
  meaning: MeaningWeights,
  cosineOf: ((owner: number) => number) | undefined,
  among?: ReadonlySet<number>,
): Naive {
  const weights = { ...given, otherForm: given.otherForm ** Math.max(1, FEW_TERMS / terms.length) };
  const passages = [...entries].flatMap(([entry, { owner, texts, title, names }]) =>
    texts.map((text, at): Passage => {
      const isFirst = at === 0;
      return {
        ...{ owner, entry, at, text: split(text) },
        title: isFirst ? split(title) : [],
        names: isFirst ? split(names) : [],
      };
    }),
  );
  const owners = [...new Set(passages.map(({ owner }) => owner))];
  const total = sumOf(passages.map(({ text }) => text.length));
  const average = Math.max(weights.minLength, total / passages.length);
  const wholeWeights = { k1: weights.wholeK1, b: weights.wholeB, minLength: 0 };
  const byPassage = new Map(passages.map((one) => [one, 0]));
  const byOwner = new Map(owners.map((one) => [one, { score: 0, matched: 0 }]));
  let perfect = 0;
  for (const { matches } of terms) {
    const seen = matches.map((match) => waysOf(passages, match));
    const countOf = (what: "passages" | "owners", all: number): number =>
      Math.min(all, sumOf(seen.map((one) => one[what])));
    const passageIdf = idf(passages.length, countOf("passages", passages.length));
    const ownerIdf = idf(owners.length, countOf("owners", owners.length));
    perfect +=
      maxScore(passageIdf, weights.k1) * weights.perfectPassages +
      maxScore(weights.whole * ownerIdf, weights.wholeK1) * 0.5;
    const times = new Map<number, number>();
    const heads = new Map<number, number>();
    for (const passage of passages) {
      const { owner, text } = passage;
      const norm = lengthNorm(weights, text.length, average);
      let [bestScore, bestTimes] = [0, 0];
      for (const { ways, weightOf } of seen) {
        const way = ways.get(passage);
        if (way === undefined) continue;
        const weight = weightOf(way, weights.otherForm);
        bestScore = Math.max(bestScore, weight * termScore(passageIdf, way.times, norm, weights.k1));
        bestTimes = Math.max(bestTimes, weight * way.times);
        const head = (way.isInTitle ? weights.title : 0) + (way.isInNames ? weights.names : 0);
        heads.set(owner, Math.max(heads.get(owner) ?? 0, head * weight));
        times.set(owner, times.get(owner) ?? 0);
      }
      byPassage.set(passage, (byPassage.get(passage) ?? 0) + bestScore);
      if (times.has(owner)) times.set(owner, (times.get(owner) ?? 0) + bestTimes);
    }
    for (const [owner, count] of times) {
      const length = sumOf(passages.filter((one) => one.owner === owner).map(({ text }) => text.length));
      const norm = lengthNorm(wholeWeights, length, Math.max(1, total / owners.length));
      const own = byOwner.get(owner) ?? { score: 0, matched: 0 };
      own.matched++;
      own.score += termScore(weights.whole * ownerIdf, count, norm, weights.wholeK1);
      own.score += (heads.get(owner) ?? 0) * ownerIdf;
      byOwner.set(owner, own);
    }
  }
  const above = standoutOf(owners, cosineOf);
  const asked = owners.filter((owner) => among?.has(owner) ?? true);
  const hasHalf = (matched: number): boolean => matched > 0 && matched >= terms.length / 2;
  const isAlone = asked.every((owner) => !hasHalf(byOwner.get(owner)?.matched ?? 0));
  const mostMatched = Math.max(0, ...asked.map((owner) => byOwner.get(owner)?.matched ?? 0));
  const missing = Math.max(0, 1 - mostMatched / Math.max(1, terms.length) / COVERED);
  const weight = meaning.weight * (1 + meaning.inOtherWords * missing);
  const isByWords = owners.every((owner) => Number.isNaN(cosineOf?.(owner) ?? Number.NaN));
  const least = isByWords ? LEAST / 2 : LEAST;
  const found = asked.flatMap((owner): NaiveRanked[] => {
    const { score, matched } = byOwner.get(owner) ?? { score: 0, matched: 0 };
    const best = passages
      .filter((one) => one.owner === owner)
      .map((one) => byPassage.get(one) ?? 0)
      .sort((a, b) => b - a)
      .slice(0, weights.decay === 0 ? 1 : DEEP);
    const share = (score + sumOf(best.map((one, at) => one * weights.decay ** at))) / Math.max(perfect, 1e-9);
    const standout = Math.max(0, above(owner) - meaning.from);
    const strength = share + weight * standout;
    const isMatch = hasHalf(matched) || (matched > 0 && strength >= least);
    const isNear = standout > (isAlone ? meaning.foundAlone : meaning.found) - meaning.from;
    if (!isMatch && !isNear) return [];
    return [{ owner, strength, words: Math.min(1, share), bestPassage: best[0] ?? 0 }];
  });
  return {
    found,
    scoreOf: (entry, at) =>
      byPassage.get(passages.find((one) => one.entry === entry && one.at === at) as Passage) ?? Number.NaN,
  };
}

/** The passages that have all terms of a match, and what an occurrence counts. */
function waysOf(passages: readonly Passage[], { terms, weight, form }: Match) {
  const ways = new Map<Passage, Way>();
  for (const passage of passages) {
    const each = terms.map((term) => wayOf(passage, term));
    if (each.some((one) => one === undefined)) continue;
    const [only] = each;
    const both = { times: 1, forms: FORMS, isInTitle: false, isInNames: false };
    ways.set(passage, each.length === 1 && only !== undefined ? only : both);
  }
  const isWritten = [...ways.values()].some(({ forms }) => (forms & form) !== 0);
  return {
    ways,
    passages: ways.size,
    owners: new Set([...ways.keys()].map(({ owner }) => owner)).size,
    weightOf: ({ forms }: Way, otherForm: number) =>
      isWritten && (forms & form) === 0 ? weight * otherForm : weight,
  };
}

function wayOf({ text, title, names }: Passage, term: string): Way | undefined {
  const among = (words: readonly string[]) => words.map(wordOf).filter((one) => one.term === term);
  const [inText, inTitle, inNames] = [among(text), among(title), among(names)];
  const all = [...inText, ...inTitle, ...inNames];
  if (all.length === 0) return undefined;
  return {
    times: Math.min(MOST_COUNTED, inText.length),
    forms: all.reduce((forms, one) => forms | one.form, 0),
    isInTitle: inTitle.length > 0,
    isInNames: inNames.length > 0,
  };
}

/** In standard deviations above the mean of all owners that have a cosine. */
function standoutOf(
  owners: readonly number[],
  cosineOf: ((owner: number) => number) | undefined,
): (owner: number) => number {
  if (cosineOf === undefined) return () => 0;
  const cosines = owners.map(cosineOf).filter((one) => !Number.isNaN(one));
  const count = cosines.length + USUAL.owners;
  const mean = (sumOf(cosines) + USUAL.owners * USUAL.mean) / count;
  const usualSquares = USUAL.owners * (USUAL.mean ** 2 + USUAL.deviation ** 2);
  const squares = (sumOf(cosines.map((one) => one ** 2)) + usualSquares) / count;
  const deviation = Math.sqrt(Math.max(1e-4, squares - mean ** 2));
  return (owner) => {
    const cosine = cosineOf(owner);
    return Number.isNaN(cosine) ? 0 : (cosine - mean) / deviation;
  };
}
