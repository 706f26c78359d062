import { emptyQuery, queryTerms } from "../../../search/query.ts";
import { snippetOf } from "../../../search/snippet.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import { idsOf, rowById, sessionOf } from "../indexing/rows.ts";
import { abandonedIn } from "../indexing/turn-marks.ts";
import type { StoredPassage } from "../indexing/units.ts";
import { passagesBefore, unitById, unitsOf } from "../indexing/units.ts";
import type { SearchAnswer, SearchOptions } from "../library.ts";
import type { Passage, RankedPassage } from "../session.ts";
import { type RankedSession, rankSessions } from "./rank.ts";
import { RERANKED, rerank } from "./within.ts";

const MOST_HITS = 100;

export function searchSessions(db: Database, query: string, options: SearchOptions = {}): SearchAnswer {
  const { limit = 10, skip = 0, ...filter } = options;
  const terms = queryTerms(query);
  if (terms.length === 0) throw emptyQuery(query, "the session");
  const wanted = Math.min(MOST_HITS, Math.max(1, limit));
  const { best, total } = rankSessions(db, terms, {
    limit: Math.max(RERANKED, skip + wanted),
    among: idsOf(db, filter),
  });
  // Opening a unit is the slowest part: each is opened once, for reranking and for display.
  const opened = new Map<RankedSession, StoredPassage | undefined>();
  const storedOf = (one: RankedSession): StoredPassage | undefined => {
    if (!opened.has(one)) opened.set(one, storedAt(db, one.best));
    return opened.get(one);
  };
  const shown = rerank(query, best, (one) => storedOf(one)?.[3] ?? "").slice(skip, skip + wanted);
  const hits = shown.flatMap(({ one, score }) => {
    const row = rowById(db, one.session);
    return row === undefined
      ? []
      : [{ session: sessionOf(row), score, best: bestOf(db, { ...one, score }, storedOf(one), terms) }];
  });
  return { hits, total };
}

function bestOf(
  db: Database,
  { session, best, score }: RankedSession,
  stored: StoredPassage | undefined,
  terms: readonly string[],
): RankedPassage | undefined {
  if (stored === undefined || best === undefined) return undefined;
  const at = passagesBefore(db, best.unit) + best.passage;
  const passage = passageOf(stored, at, abandonedIn(db, session)(stored[0]));
  return { ...passage, score, snippet: snippetOf(passage.text, 0, terms) };
}

function storedAt(db: Database, best: RankedSession["best"]): StoredPassage | undefined {
  return best === undefined ? undefined : unitById(db, best.unit)?.passages[best.passage];
}

function passageOf([turn, kind, time, text]: StoredPassage, at: number, isLeft: boolean): Passage {
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
