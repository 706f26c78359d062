import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { mergeSome } from "../../../../src/search/merge.ts";
import { BASE, COUNT } from "../../../../src/search/postings.ts";
import { corpusOf, occurrencesOf } from "../../../../src/search/rank/corpus.ts";
import { type Ranking, rank } from "../../../../src/search/rank/rank.ts";
import { listsOf } from "../../../../src/search/segment.ts";
import { SegmentBuilder } from "../../../../src/search/segment-builder.ts";
import { openSessionsIndex } from "../../../../src/sources/sessions/indexing/schema.ts";
import { sessionOfUnit, unitId } from "../../../../src/sources/sessions/indexing/units.ts";
import { settle } from "../../../../src/sources/sessions/indexing/writing.ts";
import { WEIGHTS } from "../../../../src/sources/sessions/search/search.ts";
import type { Database } from "../../../../src/store/sqlite/types.ts";
import { temporaryFolder } from "../../../support/world.ts";

const SESSIONS = 6;
/** Each is its own stem. */
const WORDS = ["zebra", "quokka", "ocelot", "badger", "okapi"];
const text = fc.array(fc.constantFrom(...WORDS, "filler"), { maxLength: 12 }).map((words) => words.join(" "));

/** A unit that is written or rewritten; without texts it is removed. */
interface Put {
  readonly session: number;
  readonly place: number;
  readonly texts: readonly string[];
  readonly title: string;
}

const put: fc.Arbitrary<Put> = fc.record({
  session: fc.integer({ min: 1, max: SESSIONS }),
  place: fc.integer({ min: 0, max: 3 }),
  texts: fc.array(text, { maxLength: 4 }),
  title: text,
});
/** Transactions, and which of two connections does each: other processes write the index too. */
const history = fc.array(
  fc.record({ isOwn: fc.boolean(), puts: fc.array(put, { minLength: 1, maxLength: 12 }) }),
  { minLength: 1, maxLength: 10 },
);

function write(db: Database, puts: readonly Put[], units: Map<number, Put>): void {
  db.tx(() => {
    const writing = { db, words: new SegmentBuilder(), stale: new Set<number>(), naming: () => undefined };
    for (const one of puts) {
      const id = unitId(one.session, one.place);
      writing.stale.add(id);
      db.run(
        `INSERT INTO session (id, host, sid, name, named_by, started, modified, is_child, is_fork_told)
         VALUES (?, 'pi', ?, '', 'us', 0, 0, 0, 0) ON CONFLICT DO NOTHING`,
        [one.session, String(one.session)],
      );
      units.delete(id);
      if (one.texts.length === 0) writing.words.remove(id);
      else {
        writing.words.put(id, one.texts, one.title);
        units.set(id, one);
      }
    }
    settle(writing);
  });
}

const rankSessions = (db: Database, words: readonly string[], among?: ReadonlySet<number>): Ranking =>
  rank(
    db,
    {
      terms: words.map((word) => ({
        word,
        matches: [{ terms: [word], weight: 1, form: BASE, how: "word" }],
      })),
    },
    {
      limit: 100,
      ownerOf: sessionOfUnit,
      weights: WEIGHTS,
      meaning: { weight: 0, inOtherWords: 0, from: 0, found: 1, foundAlone: 1 },
      among,
      isNewestFirst: true,
    },
  );

const timesIn = (passage: string, word: string): number =>
  passage.split(" ").filter((one) => one === word).length;

it("ranking sees exactly what is in an index that is written meanwhile, and the same with a filter", () => {
  const folder = temporaryFolder();
  let run = 0;
  fc.assert(
    fc.property(
      history,
      fc.subarray(Array.from({ length: SESSIONS }, (_, i) => i + 1)),
      fc.subarray(WORDS, { minLength: 1 }),
      (steps, some, query) => {
        const path = join(folder, `${run++}.db`);
        const [own, other] = [openSessionsIndex({ path }), openSessionsIndex({ path })];
        const units = new Map<number, Put>();
        for (const { isOwn, puts } of steps) {
          write(isOwn ? own : other, puts, units);
          for (const word of query) expect(occurrencesIn(own, word)).toEqual(plainly(units, word));
          const all = rankSessions(own, query);
          const anew = openSessionsIndex({ path });
          expect(all).toEqual(rankSessions(anew, query));
          anew.close();
          const among = new Set(some);
          const best = all.best.filter(({ owner }) => among.has(owner));
          expect(rankSessions(own, query, among)).toMatchObject({ best, total: best.length });
        }
        const before = rankSessions(own, query);
        while (mergeSome(other));
        expect(withoutPlaces(rankSessions(own, query))).toEqual(withoutPlaces(before));
        for (const word of query) expect(occurrencesIn(own, word)).toEqual(plainly(units, word));
        own.close();
        other.close();
      },
    ),
    { numRuns: 20 },
  );
});

/** A merge moves passages, and of two that match equally well the first is shown. */
const withoutPlaces = ({ best, total }: Ranking) => ({
  total,
  best: best.map(({ owner, strength, words }) => ({ owner, strength, words })),
});

/** By passage: its session and how often it has the word; then the same by session. */
function occurrencesIn(db: Database, word: string) {
  const store = corpusOf(db, sessionOfUnit);
  const asked = new Uint8Array(SESSIONS + 1).fill(1);
  const seen = occurrencesOf(store, listsOf(db, Buffer.from(word)), asked);
  const times = new Map<number, number>();
  const passages = Array.from(seen.places, (place, at) => {
    const session = store.owners[place] ?? 0;
    const count = (seen.flags[at] ?? 0) & COUNT;
    times.set(session, (times.get(session) ?? 0) + count);
    return `${session} ${count}`;
  });
  expect([seen.passages, seen.owners]).toEqual([passages.length, times.size]);
  const sessions = [...times].map(([session, count]) => `${session}: ${count}`);
  return { passages: passages.sort(), sessions: sessions.sort() };
}

/** The same from the texts. A title's words belong to the first passage. */
function plainly(units: ReadonlyMap<number, Put>, word: string) {
  const passages: string[] = [];
  const bySession = new Map<number, number>();
  for (const { session, texts, title } of units.values()) {
    for (const [at, passage] of texts.entries()) {
      const times = Math.min(7, timesIn(passage, word));
      const isInTitle = at === 0 && timesIn(title, word) > 0;
      if (times === 0 && !isInTitle) continue;
      passages.push(`${session} ${times}`);
      bySession.set(session, (bySession.get(session) ?? 0) + times);
    }
  }
  const sessions = [...bySession].map(([session, times]) => `${session}: ${times}`);
  return { passages: passages.sort(), sessions: sessions.sort() };
}
