import { marksOf, snippetOf } from "../../../search/passages.ts";
import { makeQuery } from "../../../search/query/make-query.ts";
import { matchedWords } from "../../../search/query/matched-words.ts";
import { noticesOf } from "../../../search/query/notices.ts";
import type { MeaningWeights } from "../../../search/rank/fuse.ts";
import { type Ranked, rank, type Tuning } from "../../../search/rank/rank.ts";
import { likelihood, RERANKED, rerank } from "../../../search/rank/rerank.ts";
import type { WordWeights } from "../../../search/rank/score-words.ts";
import type { MeaningSource } from "../../../search/vectors/embed-texts.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import { idsOf, rowById, sessionOf } from "../indexing/rows.ts";
import { abandonedIn } from "../indexing/turn-marks.ts";
import { passagesBefore, type StoredPassage, sessionOfUnit, unitById, unitsOf } from "../indexing/units.ts";
import type { SearchAnswer, SearchOptions } from "../library.ts";
import type { Passage, RankedPassage } from "../session.ts";

const MOST_HITS = 100;

/** Tuned on one half of the benchmark's questions (docs/design/benchmarks.md). The title of a session is its edited files. */
export const WEIGHTS: WordWeights = {
  k1: 1.2,
  b: 0.75,
  minLength: 20,
  decay: 0.5,
  whole: 1,
  wholeK1: 8,
  wholeB: 0.75,
  title: 2,
  names: 2,
  perfectPassages: 1.5,
  otherForm: 0.8,
};

/** Chosen on the tuned half of `npm run bench -- commits`. */
const NEARNESS: MeaningWeights = { weight: 0.07, inOtherWords: 1.5, from: 0, found: 2.5, foundAlone: 1 };
/** Weight of the n-grams beside words and meaning. */
export const NGRAMS = 0.7;

export function searchSessions(
  db: Database,
  query: string,
  { limit = 10, skip = 0, meaning, ...filter }: SearchOptions & { readonly meaning?: MeaningSource } = {},
  tuning: Tuning = {},
): SearchAnswer {
  const made = makeQuery(db, query, meaning === undefined ? {} : { meaning });
  const wanted = Math.min(MOST_HITS, Math.max(1, limit));
  const { best, total } = rank(db, made, {
    limit: Math.max(RERANKED, skip + wanted),
    ownerOf: sessionOfUnit,
    weights: { ...WEIGHTS, ...tuning.weights },
    meaning: { ...NEARNESS, ...tuning.nearness },
    among: idsOf(db, filter),
    isNewestFirst: true,
  });
  // Opening a unit is the slowest part: each is opened once, for reranking and for display.
  const opened = new Map<Ranked, StoredPassage | undefined>();
  const storedOf = (one: Ranked): StoredPassage | undefined => {
    if (!opened.has(one)) opened.set(one, storedAt(db, one));
    return opened.get(one);
  };
  const textOf = (one: Ranked): string => storedOf(one)?.[3] ?? "";
  const shown = rerank(query, best, textOf, tuning.ngrams ?? NGRAMS).slice(skip, skip + wanted);
  const hits = shown.flatMap(({ one, strength }) => {
    const row = rowById(db, one.owner);
    const score = likelihood(strength);
    if (row === undefined) return [];
    const session = sessionOf(row);
    return [
      {
        session,
        score,
        textScore: one.words,
        matched: matchedWords(made.terms, [session.name, textOf(one)]),
        best: bestOf(db, one, score, storedOf(one), made.words),
      },
    ];
  });
  const texts = best.slice(0, RERANKED).map(textOf);
  return { hits, total, notices: noticesOf(made.replaced, "session", texts) };
}

function bestOf(
  db: Database,
  { owner, best }: Ranked,
  score: number,
  stored: StoredPassage | undefined,
  terms: readonly string[],
): RankedPassage | undefined {
  if (stored === undefined || best === undefined) return undefined;
  const at = passagesBefore(db, best.entry) + best.passage;
  const passage = passageOf(stored, at, abandonedIn(db, owner)(stored[0]));
  const snippet = snippetOf(passage.text, 0, terms);
  return { ...passage, score, snippet, marks: marksOf(snippet, terms) };
}

function storedAt(db: Database, { best }: Ranked): StoredPassage | undefined {
  return best === undefined ? undefined : unitById(db, best.entry)?.passages[best.passage];
}

export function passageOf([turn, kind, time, text]: StoredPassage, at: number, isLeft: boolean): Passage {
  return {
    at,
    turn,
    role: kind === "u" ? "user" : kind === "s" ? "summary" : "assistant",
    isCalls: kind === "c",
    text,
    ...(time === null ? {} : { time }),
    ...(isLeft ? { isLeft } : {}),
  };
}

/** All passages of a session in order. Of one with more than `mostUnits` units, those at its beginning and end. */
export function allPassages(db: Database, session: number, mostUnits?: number): Passage[] {
  const all: Passage[] = [];
  const isLeft = abandonedIn(db, session);
  for (const { passages } of unitsOf(db, session, mostUnits))
    for (const stored of passages) all.push(passageOf(stored, all.length, isLeft(stored[0])));
  return all;
}
