import { toEnd } from "../../../base/slices.ts";
import {
  averageLength,
  type Bm25Weights,
  idf,
  lengthNorm,
  maxScore,
  termScore,
} from "../../../search/bm25.ts";
import { snippetOf } from "../../../search/passages.ts";
import { meaningOf } from "../../../search/query/make-query.ts";
import { corpusOf, entryAt } from "../../../search/rank/corpus.ts";
import { fusionOf, type MeaningWeights } from "../../../search/rank/fuse.ts";
import { likelihood, RERANKED, rerank } from "../../../search/rank/rerank.ts";
import type { MeaningSource } from "../../../search/vectors/embed-texts.ts";
import { passageVectors } from "../../../search/vectors/set.ts";
import { eachTerm, queryTerms } from "../../../search/words.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import { abandonedIn } from "../indexing/turn-marks.ts";
import { lastUnit, sessionOfUnit, type Unit, unitBefore, unitById, unitStarts } from "../indexing/units.ts";
import type { Passage, RankedPassage } from "../session.ts";
import { NGRAMS, passageOf } from "./search.ts";

/** The passages of one session are about similar things, so meaning counts less among them. */
const NEARNESS: MeaningWeights = { weight: 0.03, inOtherWords: 0, from: 0, found: 2.5, foundAlone: 1 };
const WEIGHTS: Bm25Weights = { k1: 1.2, b: 0.75, minLength: 20 };

/** Where the passages of a session are read from. Each is counted in turn; only the best texts are read again. */
interface PassageSource {
  /** In batches, in any order. */
  readonly some: Iterable<readonly Passage[]>;
  readonly at: (at: number) => Passage | undefined;
}

export interface RankedWithin {
  readonly passages: RankedPassage[];
  /** Whether it was stopped before everything was read. */
  readonly isPart: boolean;
}

/**
 * The passages of one session that match a question best. The idf of a word is computed within this session. Reads the
 * text itself, so that text copied into a fork is found as well. `cosines`: how near each passage is in meaning.
 */
export function rankWithin(
  passages: readonly Passage[],
  question: string,
  limit: number,
  cosines?: Float32Array,
): RankedPassage[] {
  const source = { some: [passages], at: (at: number) => passages.find((one) => one.at === at) };
  return toEnd(rankingWithin(source, question, limit, cosines)).passages;
}

/** The same in steps, keeping only the best texts: a session may have a hundred megabytes of text. */
export function* rankingWithin(
  { some, at: passageAt }: PassageSource,
  question: string,
  limit: number,
  cosines?: Float32Array,
  isOver: () => boolean = () => false,
): Generator<undefined, RankedWithin> {
  const terms = queryTerms(question);
  const wanted = new Set(terms);
  const counted: Counted[] = [];
  let isPart = false;
  for (const passages of some) {
    isPart = isOver();
    if (isPart) break;
    for (const { at, text } of passages) counted.push(countsIn(at, text, wanted));
    yield;
  }
  counted.sort((a, b) => a.at - b.at);
  const words = wordScores(counted, terms);
  const fuse = fusionOf(cosines, NEARNESS);
  const nearFrom = fuse.nearFrom(words.every((score) => score === 0));
  const ranked = counted
    .map(({ at }, i) => {
      const cosine = cosines?.[at] ?? Number.NaN;
      const score = words[i] ?? 0;
      return { at, strength: fuse(score, cosine), isFound: score > 0 || cosine > nearFrom };
    })
    .filter(({ isFound }) => isFound)
    .sort((a, b) => b.strength - a.strength || a.at - b.at)
    .slice(0, Math.max(limit, RERANKED))
    .flatMap(({ at, strength }) => {
      const passage = passageAt(at);
      return passage === undefined ? [] : [{ passage, strength }];
    });
  yield;
  const passages = rerank(question, ranked, ({ passage }) => passage.text, NGRAMS)
    .slice(0, limit)
    .map(({ one: { passage }, strength }) => ({
      ...passage,
      score: likelihood(strength),
      snippet: snippetOf(passage.text, 0, terms),
    }));
  return { passages, isPart };
}

function wordScores(counts: readonly Counted[], terms: readonly string[]): number[] {
  const total = counts.reduce((sum, { length }) => sum + length, 0);
  const average = averageLength(total, counts.length, WEIGHTS);
  const idfs = new Map(
    terms.map((term) => {
      const has = counts.filter(({ times }) => times.has(term)).length;
      return [term, idf(counts.length, has)];
    }),
  );
  const perfect = maxScore(
    [...idfs.values()].reduce((sum, one) => sum + one, 0),
    WEIGHTS.k1,
  );
  return counts.map((counted) => scoreOf(counted, idfs, average) / Math.max(perfect, 1e-9));
}

/** The passages of a session, newest unit first, keeping only one unit in memory. */
export function passagesFromEnd(db: Database, session: number): PassageSource {
  const isLeft = abandonedIn(db, session);
  const { byUnit } = unitStarts(db, session);
  const starts = [...byUnit];
  const passagesIn = (unit: Unit): Passage[] => {
    const start = byUnit.get(unit.id) ?? 0;
    return unit.passages.map((stored, i) => passageOf(stored, start + i, isLeft(stored[0])));
  };
  return {
    some: (function* () {
      for (let unit = lastUnit(db, session); unit; unit = unitBefore(db, session, unit.id))
        yield passagesIn(unit);
    })(),
    at(at) {
      const id = starts.findLast(([, start]) => start <= at)?.[0];
      const unit = id === undefined ? undefined : unitById(db, id);
      return unit && passagesIn(unit).find((one) => one.at === at);
    },
  };
}

interface Counted {
  readonly at: number;
  readonly times: ReadonlyMap<string, number>;
  readonly length: number;
}

const NONE: ReadonlyMap<string, number> = new Map();

function countsIn(at: number, text: string, wanted: ReadonlySet<string>): Counted {
  let times: Map<string, number> | undefined;
  let length = 0;
  eachTerm(text, (term) => {
    length++;
    if (!wanted.has(term)) return;
    times ??= new Map();
    times.set(term, (times.get(term) ?? 0) + 1);
  });
  return { at, times: times ?? NONE, length };
}

function scoreOf(counted: Counted, idfs: ReadonlyMap<string, number>, average: number): number {
  const norm = lengthNorm(WEIGHTS, counted.length, average);
  let score = 0;
  for (const [term, times] of counted.times) score += termScore(idfs.get(term) ?? 0, times, norm, WEIGHTS.k1);
  return score;
}

/** The cosine of each passage of a session with a question, by its position; NaN if it has no vector. */
export function cosinesWithin(
  db: Database,
  session: number,
  question: string,
  meaning: MeaningSource,
): Float32Array | undefined {
  const meant = meaningOf(question, meaning());
  if (meant === undefined) return undefined;
  const corpus = corpusOf(db, sessionOfUnit);
  const places: number[] = [];
  for (let place = 0; place < corpus.owners.length; place++)
    if (corpus.owners[place] === session) places.push(place);
  const near = new Float32Array(places.length);
  const segments = corpus.segments.map(({ segment }) => segment);
  passageVectors(db).among(meant.vector, meant.version, segments, places, near);
  const starts = unitStarts(db, session);
  const cosines = new Float32Array(starts.total).fill(Number.NaN);
  for (const [i, place] of places.entries()) {
    const { entry, passage } = entryAt(corpus, place) ?? { entry: 0, passage: 0 };
    const start = starts.byUnit.get(entry);
    if (start !== undefined) cosines[start + passage] = near[i] ?? Number.NaN;
  }
  return cosines;
}
