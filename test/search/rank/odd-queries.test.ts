import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { openMeaning } from "../../../src/search/meaning/embed.ts";
import { makeQuery } from "../../../src/search/query/make-query.ts";
import { likelihood, rerank } from "../../../src/search/rank/rerank.ts";
import type { Database } from "../../../src/store/sqlite/types.ts";
import { indexOf, owners, ranked } from "./text-index.ts";

const table = openMeaning();
afterAll(() => table.close());
const meaning = () => table;

const TEXTS = [
  { title: "Rollback", text: "The last release is rolled back within five minutes." },
  { title: "הגירת מסד הנתונים", text: "כל הגירה רצה פעמיים בסביבת הבדיקות לפני הייצור." },
  { title: "نسخ احتياطي", text: "يتم حفظ النسخة الليلية لمدة تسعين يوما." },
  { title: "データベースの移行", text: "移行は本番の前にステージングで二回実行されます。" },
  { title: "部署", text: "每次发布都会打标签，回滚在五分钟内完成。" },
  { title: "ฐานข้อมูล", text: "สำรองข้อมูลทุกคืน" },
  { title: "Миграции", text: "Каждая миграция запускается дважды перед выпуском." },
  { title: "Emoji 🚀", text: "We ship with 🚀 and celebrate with 🎉👩‍💻." },
  { title: "Broken \ud800 text", text: "A lone \udc00 surrogate and a NUL \u0000 in zeppelin notes." },
];

describe("queries in other scripts", () => {
  it.each([
    ["הגירה", 2],
    ["הנסיעה של מסד הנתונים", 2],
    ["النسخة الليلية", 3],
    ["移行", 4],
    ["ステージング", 4],
    ["回滚", 5],
    ["发布", 5],
    ["สำรองข้อมูล", 6],
    ["миграция", 7],
    ["ship with 🚀", 8],
    ["zeppelin \ud800", 9],
    ["zeppelin\u0000notes", 9],
  ])("find their text first: %j", (query, owner) => {
    const db = indexOf(TEXTS, meaning);
    expect(owners(ranked(db, query, { meaning }))[0]).toBe(owner);
    expect(owners(ranked(db, query))[0]).toBe(owner);
  });
});

/** Counts the questions to the database. */
function counting(db: Database): { readonly db: Database; asked: number } {
  const counter = { asked: 0, db };
  const count = <T extends unknown[], R>(ask: (...args: T) => R) => {
    return (...args: T): R => {
      counter.asked++;
      return ask(...args);
    };
  };
  counter.db = { ...db, get: count(db.get.bind(db)), all: count(db.all.bind(db)) } as Database;
  return counter;
}

describe("a query of a megabyte", () => {
  const PIECES: readonly (readonly [string, string])[] = [
    ["one word again and again", "rollback "],
    ["no space at all", "rollback"],
    ["many different words", ""],
    ["Japanese", "移行は本番の前に"],
    ["Arabic", "النسخة الليلية "],
    ["emoji", "🚀👩‍💻"],
    ["lone surrogates", "\ud800\udc00\ud800"],
    ["NUL", "\u0000"],
    ["combining marks", "a\u0301\u0302\u0303"],
    ["punctuation", "(*)\"' NEAR/2 -- [["],
  ];

  it.each(PIECES)("is answered with as much work as its beginning needs: %s", (_, piece) => {
    const long =
      piece === ""
        ? Array.from({ length: 100_000 }, (_, i) => `word${i}x`).join(" ")
        : piece.repeat(Math.ceil(2 ** 20 / piece.length));
    expect(long.length).toBeGreaterThan(1_000_000 - 1);
    const texts = indexOf(TEXTS, meaning);
    const work = (query: string) => {
      const counter = counting(texts);
      const found = ranked(counter.db, query, { meaning });
      return { asked: counter.asked, found };
    };
    const whole = work(long);
    const beginning = work(long.slice(0, 10_000));
    expect(whole.asked).toBeGreaterThan(0);
    expect(whole.asked).toBe(beginning.asked);
    expect(whole.asked).toBeLessThan(1000);
    expect(whole.found).toEqual(beginning.found);
    // The terms that are looked for are bounded too.
    expect(makeQuery(texts, long, { meaning }).words.length).toBeLessThanOrEqual(800);
    // Comparing texts with it is as well.
    const compared = (query: string) =>
      rerank(query, whole.found.best, ({ owner }) => TEXTS[owner - 1]?.text ?? "", 0.7);
    expect(compared(long)).toEqual(compared(long.slice(0, 10_000)));
  });

  it("finds what its beginning is about", () => {
    const long = `how is a release rolled back ${"lorem ipsum dolor ".repeat(60_000)}`;
    expect(owners(ranked(indexOf(TEXTS, meaning), long, { meaning }))[0]).toBe(1);
  });
});

it("any text is a query: an answer with finite strengths, best first, likelihoods between 0 and 1", () => {
  const db = indexOf(TEXTS, meaning);
  const unit = fc.oneof(
    fc.constantFrom(
      "rollback",
      "移行",
      "🚀",
      "الليلية",
      "\u0000",
      "\ud800",
      "-",
      "_",
      "'",
      '"',
      "*",
      " ",
      "\n",
    ),
    fc.string({ unit: "binary", maxLength: 5 }),
  );
  const text = fc.array(unit, { maxLength: 20 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, fc.boolean(), fc.boolean(), (query, isLenient, hasTable) => {
      if (query.trim() === "") {
        expect(() => makeQuery(db, query)).toThrow("the query is empty");
        return;
      }
      const { best, total } = ranked(db, query, { isLenient, ...(hasTable && { meaning }) });
      expect(total).toBe(best.length);
      const strengths = best.map(({ strength }) => strength);
      expect(strengths.every(Number.isFinite)).toBe(true);
      expect(strengths).toEqual(strengths.toSorted((a, b) => b - a));
      for (const { words, strength } of best) {
        expect(words >= 0 && words <= 1).toBe(true);
        expect(likelihood(strength) > 0 && likelihood(strength) <= 1).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});
