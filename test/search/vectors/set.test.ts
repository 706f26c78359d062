import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ContinuoError } from "../../../src/base/errors.ts";
import { dropLeftovers, mergeSome } from "../../../src/search/merge.ts";
import { allSegments, tombstone } from "../../../src/search/segment.ts";
import type { TextMeaning } from "../../../src/search/vectors/embed-texts.ts";
import { plainKernel } from "../../../src/search/vectors/kernel.ts";
import { createSet, passageVectors } from "../../../src/search/vectors/set.ts";
import { openDatabase } from "../../../src/store/sqlite/open.ts";
import type { Database } from "../../../src/store/sqlite/types.ts";
import { temporaryFolder } from "../../support/world.ts";
import { emptyIndex, put } from "./text-index.ts";
import { wordMeaning } from "./word-meaning.ts";

const VERSION = "words-1";
const WORDS = ["rollback", "cache", "login", "invoice", "kernel", "窓", "naïve", "🎻 violin"];

const questionOf = (text: string): Float32Array => wordMeaning().embed(text) ?? new Float32Array(256);

/** By note: the cosines of its passages, rounded; null for a passage without a vector. */
function cosinesOf(db: Database, query: string, set = passageVectors(db)): Record<string, (number | null)[]> {
  const segments = allSegments(db);
  const into = new Float32Array(segments.reduce((sum, { notes }) => sum + notes.length, 0));
  set.cosines(questionOf(query), VERSION, segments, into);
  const places = into.map((_, place) => place);
  const again = new Float32Array(into.length);
  set.among(questionOf(query), VERSION, segments, places, again);
  expect(again).toEqual(into);
  const found: Record<string, (number | null)[]> = {};
  let place = 0;
  for (const { notes } of segments) {
    for (const note of notes) {
      const cosine = into[place++] ?? Number.NaN;
      if (note === 0) continue;
      found[note] ??= [];
      found[note].push(Number.isNaN(cosine) ? null : Math.round(cosine * 1000) / 1000);
    }
  }
  return found;
}

/** What a new index of only these notes would say. */
function expectedOf(notes: ReadonlyMap<number, readonly string[]>, query: string) {
  const db = emptyIndex();
  put(db, notes, wordMeaning());
  const found = cosinesOf(db, query);
  db.close();
  return found;
}

const text = fc.oneof(
  fc.array(fc.constantFrom(...WORDS), { maxLength: 4 }).map((words) => words.join(" ")),
  fc.constantFrom("", " \n", "…!?", "\u0000", "\ud800"),
);
const change = fc.oneof(
  fc.record({
    put: fc.array(fc.tuple(fc.integer({ min: 1, max: 12 }), fc.array(text, { maxLength: 5 })), {
      maxLength: 6,
    }),
  }),
  fc.record({ removed: fc.integer({ min: 1, max: 12 }) }),
  fc.constantFrom("merge" as const, "drop" as const, "query" as const),
);

describe("the vectors of an index", () => {
  it("after any changes and merges are those of a new index, also in a set that was filled before", () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30 }), fc.constantFrom(...WORDS), (changes, query) => {
        const db = emptyIndex();
        const notes = new Map<number, readonly string[]>();
        for (const one of changes) {
          if (one === "merge") mergeSome(db);
          else if (one === "drop") dropLeftovers(db);
          else if (one === "query") cosinesOf(db, query);
          else if ("removed" in one) {
            notes.delete(one.removed);
            db.tx(() => tombstone(db, [one.removed]));
          } else {
            const given = new Map(one.put);
            put(db, given, wordMeaning());
            for (const [note, texts] of given) notes.set(note, texts);
          }
        }
        const expected = expectedOf(notes, query);
        expect(cosinesOf(db, query)).toEqual(expected);
        expect(cosinesOf(db, query, createSet(db))).toEqual(expected);
        db.close();
      }),
      { numRuns: 60 },
    );
  });

  it("find the passage that has the words of the query, over several parts, in JavaScript and with SIMD", () => {
    const db = emptyIndex();
    const notes = new Map(
      Array.from({ length: 40 }, (_, note) => [
        note + 1,
        Array.from({ length: 40 }, (_, at) => `n${note} p${at}`),
      ]),
    );
    const some = new Map([...notes].slice(0, 10));
    put(db, some, wordMeaning());
    expect(cosinesOf(db, "n3 p7")[4]?.[7]).toBeCloseTo(1, 2);
    put(db, new Map([...notes].slice(10)), wordMeaning());
    const all = cosinesOf(db, "n30 p39");
    expect(cosinesOf(db, "n30 p39", createSet(db, plainKernel))).toEqual(all);
    expect(all[31]?.[39]).toBeCloseTo(1, 2);
    expect(Math.max(...Object.values(all).flat().map(Number))).toBe(all[31]?.[39]);
    expect(all).toEqual(expectedOf(notes, "n30 p39"));
    db.close();
  });

  it("of another connection are read as soon as they are written", () => {
    const path = join(temporaryFolder(), "index.db");
    const [db, other] = [emptyIndex(path), openDatabase(path)];
    put(db, new Map([[1, ["cache"]]]), wordMeaning());
    expect(cosinesOf(other, "cache")).toEqual({ 1: [1] });
    put(db, new Map([[1, ["login", "cache"]]]), wordMeaning());
    expect(cosinesOf(other, "cache")[1]?.[1]).toBe(1);
    db.close();
    other.close();
  });

  it("are compared by segment: with a list of segments from before a merge, none is mistaken for another", () => {
    const db = emptyIndex();
    for (let note = 1; note <= 8; note++) put(db, new Map([[note, [WORDS[note - 1] ?? ""]]]), wordMeaning());
    const before = allSegments(db);
    expect(mergeSome(db)).toBe(true);
    const into = new Float32Array(8);
    expect(passageVectors(db).cosines(questionOf("cache"), VERSION, before, into)).toBe(0);
    expect(into.every(Number.isNaN)).toBe(true);
    db.close();
  });

  it("are pending without a table, with another one, and after a merge of both: never compared", () => {
    const db = emptyIndex();
    put(db, new Map([[1, ["cache"]]]), undefined);
    put(db, new Map([[2, ["cache"]]]), wordMeaning("words-2"));
    put(db, new Map([[3, ["cache"]]]), wordMeaning());
    expect(cosinesOf(db, "cache")).toEqual({ 1: [null], 2: [null], 3: [1] });
    for (let note = 4; note <= 8; note++) put(db, new Map([[note, ["login"]]]), wordMeaning());
    expect(mergeSome(db)).toBe(true);
    expect(db.all("SELECT made, length(data) AS bytes FROM text_vectors")).toEqual([{ made: "", bytes: 0 }]);
    expect(cosinesOf(db, "cache")[3]).toEqual([null]);
    db.close();
  });

  it("are pending for a whole transaction when the table turns out to be damaged in it", () => {
    const db = emptyIndex();
    const damaged: TextMeaning = {
      version: VERSION,
      embed(given) {
        if (given === "login") throw new ContinuoError("meaning-damaged", "the table is damaged");
        return questionOf(given);
      },
    };
    put(db, new Map([[1, ["cache", "login", "cache"]]]), damaged);
    expect(cosinesOf(db, "cache")).toEqual({ 1: [null, null, null] });
    db.close();
  });

  it("that are damaged in the index are not compared: no passage is nearer than 1", () => {
    const db = emptyIndex();
    put(db, new Map(Array.from({ length: 600 }, (_, note) => [note + 1, ["cache"]])), wordMeaning());
    const damage = (sql: string): Float32Array => {
      db.exec("SAVEPOINT whole");
      db.exec(`UPDATE text_vectors SET data = ${sql} WHERE part = 0`);
      const into = new Float32Array(600);
      createSet(db).cosines(questionOf("cache"), VERSION, allSegments(db), into);
      db.exec("ROLLBACK TO whole");
      return into;
    };
    const ones = "CAST(replace(hex(zeroblob(512)), '00', char(1)) AS BLOB)";
    const tooLarge = "zeroblob(130 * 600)";
    for (const sql of [ones, tooLarge, "data || data", "substr(data, 1, 100)", "'text'", "x''"]) {
      const cosines = damage(sql);
      expect(cosines.subarray(0, 256).every(Number.isNaN)).toBe(true);
      expect(cosines[256]).toBeCloseTo(1, 2);
    }
    const small = damage(`${ones} || substr(data, 513)`);
    expect(small.subarray(0, 256).every(Number.isNaN)).toBe(true);
    expect(small[599]).toBeCloseTo(1, 2);
    db.close();
  });

  it("need no table where there is no text to embed, and do not make others pending", () => {
    const db = emptyIndex();
    put(db, new Map([[1, [""]]]), undefined);
    put(db, new Map([[2, ["", " "]]]), wordMeaning("words-2"));
    expect(db.all("SELECT made, length(data) AS bytes FROM text_vectors")).toEqual([
      { made: "-", bytes: 0 },
      { made: "-", bytes: 0 },
    ]);
    for (let note = 3; note <= 8; note++) put(db, new Map([[note, ["cache"]]]), wordMeaning());
    expect(mergeSome(db)).toBe(true);
    expect(cosinesOf(db, "cache")).toMatchObject({ 1: [null], 2: [null, null], 3: [1], 8: [1] });
    db.close();
  });

  it("take at most 140 bytes a passage", () => {
    const [plain, full] = [emptyIndex(), emptyIndex()];
    const notes = new Map(
      Array.from({ length: 2000 }, (_, note) => [note + 1, [`n${note}`, WORDS[note % 8] ?? "", "x"]]),
    );
    put(plain, notes, undefined);
    put(full, notes, wordMeaning());
    const bytesOf = (db: Database): number =>
      (db.get<{ page_count: number }>("PRAGMA page_count")?.page_count ?? 0) * 4096;
    expect((bytesOf(full) - bytesOf(plain)) / 6000).toBeLessThan(140);
    expect(bytesOf(full)).toBeGreaterThan(bytesOf(plain) + 6000 * 128);
    plain.close();
    full.close();
  });
});
