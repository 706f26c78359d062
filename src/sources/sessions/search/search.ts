import { emptyQuery, queryTerms } from "../../../search/query.ts";
import { snippetOf } from "../../../search/snippet.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import type { StoredPassage } from "../index/stored-passage.ts";
import { passagesBefore, unitById, unitsOf } from "../index/units.ts";
import type { SearchAnswer, SearchOptions } from "../library.ts";
import { idsOf, rowById, sessionOf } from "../rows.ts";
import type { Passage, RankedPassage } from "../session.ts";
import { CLOSELY, closer } from "./closer.ts";
import { type RankedSession, rankSessions } from "./rank.ts";

const MOST_HITS = 100;

export function searchSessions(db: Database, query: string, options: SearchOptions = {}): SearchAnswer {
  const { limit = 10, ...filter } = options;
  const terms = queryTerms(query);
  if (terms.length === 0) throw emptyQuery(query);
  const wanted = Math.min(MOST_HITS, Math.max(1, limit));
  const { best, total } = rankSessions(db, terms, {
    limit: Math.max(wanted, CLOSELY),
    among: idsOf(db, filter),
  });
  const read = best.map((one) => ({ ...one, stored: storedAt(db, one.best) }));
  const hits = closer(query, read, ({ stored }) => stored?.[3] ?? "")
    .slice(0, wanted)
    .flatMap(({ one: { session, best, stored }, score }) => {
      const row = rowById(db, session);
      if (row === undefined) return [];
      const passage =
        best === undefined || stored === undefined
          ? undefined
          : passageOf(stored, passagesBefore(db, best.unit) + best.passage);
      return [{ session: sessionOf(row), score, best: passage && shown(passage, score, terms) }];
    });
  return { hits, total };
}

function storedAt(db: Database, best: RankedSession["best"]): StoredPassage | undefined {
  return best === undefined ? undefined : unitById(db, best.unit)?.passages[best.passage];
}

function shown(passage: Passage, score: number, terms: readonly string[]): RankedPassage {
  return { ...passage, score, snippet: snippetOf(passage.text, 0, terms) };
}

export function passageOf([turn, kind, time, text]: StoredPassage, at: number): Passage {
  return {
    at,
    turn,
    role: kind === "u" ? "user" : kind === "s" ? "summary" : "assistant",
    isCalls: kind === "c",
    text,
    ...(time === null ? {} : { time }),
  };
}

/** All of a session, in order. */
export function allPassages(db: Database, session: number): Passage[] {
  const all: Passage[] = [];
  for (const { passages } of unitsOf(db, session))
    for (const stored of passages) all.push(passageOf(stored, all.length));
  return all;
}
