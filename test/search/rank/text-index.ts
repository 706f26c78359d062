import { makeQuery, type QueryOptions } from "../../../src/search/query/make-query.ts";
import { type Ranking, rank } from "../../../src/search/rank/rank.ts";
import type { WordWeights } from "../../../src/search/rank/score-words.ts";
import { addSegment, SEGMENT_SCHEMA } from "../../../src/search/segment.ts";
import { SegmentBuilder } from "../../../src/search/segment-builder.ts";
import type { MeaningSource } from "../../../src/search/vectors/embed-texts.ts";
import { openDatabase } from "../../../src/store/sqlite/open.ts";
import type { Database } from "../../../src/store/sqlite/types.ts";

/** Those of notes. */
export const WEIGHTS: WordWeights = {
  ...{ k1: 1.2, b: 0.75, minLength: 20, decay: 0, whole: 0, wholeK1: 1, wholeB: 0 },
  ...{ title: 2, names: 1, perfectPassages: 1, otherForm: 0.8 },
};
const MEANING = { weight: 0.045, from: 0, found: 2.5, foundAlone: 1 };

export interface Text {
  readonly title?: string;
  readonly text: string;
}

/** An index in memory of these texts, numbered from 1. */
export function indexOf(
  texts: readonly (string | Text)[],
  meaning: MeaningSource = () => undefined,
): Database {
  const db = openDatabase(":memory:");
  db.exec(SEGMENT_SCHEMA);
  db.tx(() => {
    const builder = new SegmentBuilder(meaning);
    for (const [at, one] of texts.entries()) {
      const { title = "", text } = typeof one === "string" ? { text: one } : one;
      builder.put(at + 1, [text], title, "", [`${title}\n${text}`]);
    }
    const { list, ...passages } = builder.passages();
    addSegment(db, passages, (pages) => builder.fill(list, pages));
  });
  return db;
}

export function ranked(db: Database, query: string, options: QueryOptions = {}): Ranking {
  return rank(db, makeQuery(db, query, options), {
    ...{ limit: 100, ownerOf: (note) => note, weights: WEIGHTS, meaning: MEANING },
  });
}

export const owners = (ranking: Ranking): number[] => ranking.best.map(({ owner }) => owner);
