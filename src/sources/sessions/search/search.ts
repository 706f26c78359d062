import { marksOf, snippetOf } from "../../../search/passages.ts";
import { makeQuery } from "../../../search/query/make-query.ts";
import { matchedWords, noticesOf } from "../../../search/query/notices.ts";
import type { MeaningWeights } from "../../../search/rank/fuse.ts";
import { type Ranked, rank, type Tuning } from "../../../search/rank/rank.ts";
import { likelihood, RERANKED, rerank } from "../../../search/rank/rerank.ts";
import type { WordWeights } from "../../../search/rank/score-words.ts";
import type { MeaningSource } from "../../../search/vectors/embed-texts.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import { idsOf, rowById, sessionOf } from "../indexing/rows.ts";
import { abandonedIn } from "../indexing/turn-marks.ts";
import { passagesBefore, type StoredPassage, sessionOfUnit, unitById, unitsOf } from "../indexing/units.ts";
import type { SearchAnswer, SearchOptions, SessionHit } from "../library.ts";
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
/** The weight of the n-grams besides words and meaning. */
export const NGRAMS = 0.7;

/**
 * A result with less than this share of the best one's strength is a weaker match, shown only on request. On the
 * development questions this applies to half of all results, but to none of the right sessions among the first ten.
 */
const WEAKER = 0.35;
/** How many of the best are examined for copies: opening units takes most of a search's time. */
const MOST_OPENED = 1000;

export function searchSessions(
  db: Database,
  query: string,
  {
    limit = 10,
    skip = 0,
    weaker,
    meaning,
    ...filter
  }: SearchOptions & { readonly meaning?: MeaningSource } = {},
  tuning: Tuning = {},
): SearchAnswer {
  const made = makeQuery(db, query, meaning === undefined ? {} : { meaning });
  const wanted = Math.min(MOST_HITS, Math.max(1, limit));
  const ranking = rank(db, made, {
    limit: MOST_OPENED + skip,
    ownerOf: sessionOfUnit,
    weights: { ...WEIGHTS, ...tuning.weights },
    meaning: { ...NEARNESS, ...tuning.nearness },
    among: idsOf(db, filter),
    isNewestFirst: true,
  });
  const least = weaker === true ? 0 : WEAKER * (ranking.best[0]?.strength ?? 0);
  // Opening a unit is the slowest part, so each is opened once, to find copies, for reranking and for display.
  const opened = new Map<Ranked, StoredPassage | undefined>();
  const storedOf = (one: Ranked): StoredPassage | undefined => {
    if (!opened.has(one)) opened.set(one, storedAt(db, one));
    return opened.get(one);
  };
  const textOf = (one: Ranked): string => storedOf(one)?.[3] ?? "";
  const isStrong = ({ strength }: { readonly strength: number }) => strength >= least;
  const originals = withoutCopies(db, ranking.best, textOf, Math.max(RERANKED, skip + wanted));
  const best = [...originals.keys()];
  const shown = rerank(query, best, textOf, tuning.ngrams ?? NGRAMS)
    .filter(({ one }) => isStrong(one))
    .slice(skip, skip + wanted);
  const hits = shown.flatMap(({ one, strength }): SessionHit[] => {
    const row = rowById(db, one.owner);
    const score = likelihood(strength);
    if (row === undefined) return [];
    const session = sessionOf(row);
    const copies = (originals.get(one) ?? []).flatMap(({ owner }) => rowById(db, owner) ?? []).map(sessionOf);
    return [
      {
        session,
        score,
        textScore: one.words,
        matched: matchedWords(made.terms, [session.name, textOf(one)]),
        best: bestOf(db, one, score, storedOf(one), made.words),
        ...(copies.length > 0 && { copies }),
      },
    ];
  });
  const texts = best.slice(0, RERANKED).map(textOf);
  const copies = [...originals.values()].flat().filter(isStrong).length;
  const found = ranking.strengths.filter((strength) => strength >= least).length;
  return {
    hits,
    total: found - copies,
    weaker: ranking.total - found,
    notices: noticesOf(made.replaced, "session", texts),
  };
}

/**
 * The best ones, each with later ones that match in the same words and share its name or its beginning: forks, copies
 * of a transcript, runs of a script.
 */
function withoutCopies(
  db: Database,
  ranked: readonly Ranked[],
  textOf: (one: Ranked) => string,
  wanted: number,
): ReadonlyMap<Ranked, readonly Ranked[]> {
  const originals = new Map<Ranked, Ranked[]>();
  const known = new Map<string, Ranked>();
  for (const one of ranked) {
    const text = textOf(one);
    const row = text === "" ? undefined : rowById(db, one.owner);
    const keys = [row?.first_turn, row?.name].flatMap((by) => (by == null ? [] : [`${by}\n${text}`]));
    const original = keys.map((key) => known.get(key)).find((other) => other !== undefined);
    if (original !== undefined) originals.get(original)?.push(one);
    else if (originals.size === wanted) break;
    else {
      originals.set(one, []);
      for (const key of keys) known.set(key, one);
    }
  }
  return originals;
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

/** All passages of a session in order. If it has more than `mostUnits` units, only those at its beginning and end. */
export function allPassages(db: Database, session: number, mostUnits?: number): Passage[] {
  const all: Passage[] = [];
  const isLeft = abandonedIn(db, session);
  for (const { passages } of unitsOf(db, session, mostUnits))
    for (const stored of passages) all.push(passageOf(stored, all.length, isLeft(stored[0])));
  return all;
}
