import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { mergeSome } from "../../../src/search/merge.ts";
import { BASE, DERIVED, INFLECTED } from "../../../src/search/postings.ts";
import type { Match, QueryTerm } from "../../../src/search/query-term.ts";
import type { Corpus } from "../../../src/search/rank/corpus.ts";
import type { MeaningWeights } from "../../../src/search/rank/fuse.ts";
import type { Nearness } from "../../../src/search/rank/nearness.ts";
import { type Ranking, type RankOptions, rank } from "../../../src/search/rank/rank.ts";
import type { WordWeights } from "../../../src/search/rank/score-words.ts";
import { addSegment, SEGMENT_SCHEMA, tombstone } from "../../../src/search/segment.ts";
import { SegmentBuilder } from "../../../src/search/segment-builder.ts";
import { openDatabase } from "../../../src/store/sqlite/open.ts";
import type { Database } from "../../../src/store/sqlite/types.ts";
import { temporaryFolder } from "../../support/world.ts";
import { type Entry, type NaiveRanked, naiveRanking } from "./naive.ts";

const OWNERS = 8;
/** An owner has up to so many entries: a session has several units. */
const ENTRIES = 3;
const entryOf = (owner: number, place: number): number => owner * ENTRIES + place;
const ownerOf = (entry: number): number => Math.floor(entry / ENTRIES);

/** Two stems in three forms each, and words without forms; none is a stop word or part of a compound. */
const WORDS = "product products production deploy deploys deployment zebra quokka ocelot".split(" ");
const TERMS = ["product", "deploi", "deploy", "zebra", "quokka", "ocelot", "missing"];
const text = fc
  .array(fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...WORDS) }, fc.constantFrom("zebra", "filler")), {
    maxLength: 30,
  })
  .map((words) => words.join(" "));

/** An entry that is written or rewritten; without texts it is removed. */
const put = fc.record({
  owner: fc.integer({ min: 1, max: OWNERS }),
  place: fc.integer({ min: 0, max: ENTRIES - 1 }),
  texts: fc.array(text, { maxLength: 3 }),
  title: text,
  names: text,
});
type Put = typeof put extends fc.Arbitrary<infer T> ? T : never;
/** Transactions of two connections, with merges. */
const history = fc.array(
  fc.record({
    isOwn: fc.boolean(),
    isMerged: fc.boolean(),
    puts: fc.array(put, { minLength: 1, maxLength: 8 }),
  }),
  { minLength: 1, maxLength: 8 },
);

const share = fc.constantFrom(0.25, 0.5, 0.75, 1);
const match: fc.Arbitrary<Match> = fc.record({
  terms: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...TERMS).map((one) => [one]) },
    fc.tuple(fc.constantFrom(...TERMS), fc.constantFrom(...TERMS)),
  ),
  weight: share,
  form: fc.constantFrom(0, BASE, INFLECTED, DERIVED, BASE | DERIVED),
  how: fc.constant("word" as const),
});
const query: fc.Arbitrary<QueryTerm[]> = fc.array(
  fc.record({ word: fc.constant("word"), matches: fc.array(match, { maxLength: 3 }) }),
  { minLength: 1, maxLength: 4 },
);
const weights: fc.Arbitrary<WordWeights> = fc.record({
  k1: fc.constantFrom(0.5, 1.2, 3),
  b: fc.constantFrom(0, 0.75, 1),
  minLength: fc.constantFrom(5, 20),
  decay: fc.constantFrom(0, 0.5),
  whole: fc.constantFrom(0, 1),
  wholeK1: fc.constantFrom(1, 8),
  wholeB: fc.constantFrom(0, 0.75),
  title: fc.constantFrom(0, 2),
  names: fc.constantFrom(0, 1),
  perfectPassages: fc.constantFrom(1, 1.5),
  otherForm: fc.constantFrom(0.5, 0.8, 1),
});
const meaning: fc.Arbitrary<MeaningWeights> = fc.record({
  weight: fc.constantFrom(0, 0.045, 0.3),
  inOtherWords: fc.constantFrom(0, 1.5),
  from: fc.constantFrom(0, 1),
  found: fc.constantFrom(1.5, 2.5),
  foundAlone: fc.constantFrom(1, 1.5),
});
const cosine = fc.oneof(fc.constant(Number.NaN), fc.float({ min: -1, max: 1, noNaN: true }));
/** By owner; none without a table. */
const cosines = fc.option(fc.array(cosine, { minLength: OWNERS + 1, maxLength: OWNERS + 1 }), {
  nil: undefined,
});

function write(db: Database, puts: readonly Put[], entries: Map<number, Entry>): void {
  db.tx(() => {
    const builder = new SegmentBuilder();
    const changed = new Set(puts.map(({ owner, place }) => entryOf(owner, place)));
    tombstone(db, changed);
    for (const { owner, place, texts, title, names } of puts) {
      const id = entryOf(owner, place);
      builder.remove(id);
      entries.delete(id);
      if (texts.length === 0) continue;
      builder.put(id, texts, title, names);
      entries.set(id, { owner, texts, title, names });
    }
    const { list, ...passages } = builder.passages();
    if (list.length > 0) addSegment(db, passages, (pages) => builder.fill(list, pages));
  });
}

/** The cosines of those that have passages. */
const nearnessOf =
  (given: readonly number[], entries: ReadonlyMap<number, Entry>) =>
  (corpus: Corpus): Nearness => {
    const has = new Set([...entries.values()].map(({ owner }) => owner));
    return {
      cosines: Float32Array.from(corpus.lengths(), (_, owner) =>
        has.has(owner) ? (given[owner] ?? 0) : Number.NaN,
      ),
      bestOf: () => undefined,
    };
  };

function expectSame({ best, total }: Ranking, found: readonly NaiveRanked[], isNewestFirst: boolean): void {
  expect(best.map(({ owner }) => owner).sort()).toEqual(found.map(({ owner }) => owner).sort());
  expect(total).toBe(found.length);
  const byOwner = new Map(found.map((one) => [one.owner, one]));
  for (const { owner, strength, words } of best) {
    expect(strength).toBeCloseTo(byOwner.get(owner)?.strength ?? Number.NaN, 9);
    expect(words).toBeCloseTo(byOwner.get(owner)?.words ?? Number.NaN, 9);
  }
  const tie = isNewestFirst ? -1 : 1;
  expect(best).toEqual(best.toSorted((a, b) => b.strength - a.strength || tie * (a.owner - b.owner)));
}

it("ranking is what its definition says, for any texts, changes, merges, words, weights and filters", () => {
  const folder = temporaryFolder();
  let run = 0;
  fc.assert(
    fc.property(
      history,
      query,
      weights,
      meaning,
      cosines,
      fc.subarray(Array.from({ length: OWNERS + 2 }, (_, owner) => owner)),
      fc.boolean(),
      fc.integer({ min: 1, max: OWNERS }),
      (steps, terms, wordWeights, meaningWeights, given, some, isNewestFirst, few) => {
        const path = join(folder, `${run++}.db`);
        const [own, other] = [openDatabase(path), openDatabase(path)];
        own.exec(SEGMENT_SCHEMA);
        const entries = new Map<number, Entry>();
        const nearness = given && nearnessOf(given, entries);
        const options: RankOptions = {
          ...{ limit: 100, ownerOf, weights: wordWeights, meaning: meaningWeights, isNewestFirst },
        };
        const ranked = (db: Database, more: Partial<RankOptions> = {}): Ranking =>
          rank(db, { terms, nearness }, { ...options, ...more });
        for (const { isOwn, isMerged, puts } of steps) {
          write(isOwn ? own : other, puts, entries);
          if (isMerged) while (mergeSome(other));
          const all = ranked(own);
          const cosineOf = given && ((owner: number) => Math.fround(given[owner] ?? 0));
          const naive = naiveRanking(entries, terms, wordWeights, meaningWeights, cosineOf);
          expectSame(all, naive.found, isNewestFirst);
          for (const { owner, best } of all.best) {
            const score = best === undefined ? 0 : naive.scoreOf(best.entry, best.passage);
            expect(score).toBeCloseTo(naive.found.find((one) => one.owner === owner)?.bestPassage ?? -1, 9);
          }
          // A second query sees nothing of the first.
          expect(ranked(own)).toEqual(all);
          const among = new Set(some);
          const filtered = ranked(own, { among });
          const { found } = naiveRanking(entries, terms, wordWeights, meaningWeights, cosineOf, among);
          expectSame(filtered, found, isNewestFirst);
          // A filter changes no score, but if it leaves less with the words, meaning counts more, and more is found by it.
          if (nearness === undefined || meaningWeights.inOtherWords === 0)
            expect(filtered.best).toEqual(
              expect.arrayContaining(all.best.filter(({ owner }) => among.has(owner))),
            );
          if (nearness === undefined) expect(filtered.total).toBeLessThanOrEqual(all.total);
          expect(ranked(own, { limit: few })).toEqual({ ...all, best: all.best.slice(0, few) });
        }
        own.close();
        other.close();
      },
    ),
    { numRuns: Number(process.env["CONTINUO_PROPERTY_RUNS"] ?? 60) },
  );
});
