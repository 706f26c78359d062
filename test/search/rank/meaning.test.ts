import { afterAll, describe, expect, it } from "vitest";
import { openMeaning } from "../../../src/search/meaning/embed.ts";
import { indexOf, owners, ranked } from "./text-index.ts";

const table = openMeaning();
afterAll(() => table.close());
const meaning = () => table;

const TEXTS = [
  "People are signed out after thirty minutes of inactivity.",
  "A nightly dump of the database is kept for ninety days.",
  "The search engine has two replicas.",
  "Amounts are integers in cents.",
];
const QUERIES = ["database dump", "search", "engine replicas for cents", "backup copies", "the of", "🚀"];

describe("ranking by words and meaning", () => {
  it("finds a text that has no word of the query", () => {
    const [first] = ranked(indexOf(TEXTS, meaning), "backup copies", { meaning }).best;
    expect(first).toMatchObject({ owner: 2, words: 0, best: { entry: 2, passage: 0 } });
    expect(first?.cosine).toBeGreaterThan(0.2);
  });

  it("is by words alone without a table, in an index without vectors, and with a table of another version", () => {
    const bare = indexOf(TEXTS);
    const whole = indexOf(TEXTS, meaning);
    const other = () => ({ version: "other", embed: (text: string) => table.embed(text) });
    for (const query of QUERIES) {
      const byWords = ranked(bare, query);
      expect(ranked(whole, query)).toEqual(byWords);
      expect(ranked(bare, query, { meaning })).toEqual(byWords);
      expect(ranked(whole, query, { meaning: other })).toEqual(byWords);
    }
  });

  it("is by words alone for a query without a known piece", () => {
    const db = indexOf([...TEXTS, "Ship it 🚀"], meaning);
    expect(ranked(db, "\u0000\ud800", { meaning })).toEqual({ best: [], total: 0, strengths: [] });
  });

  it("leaves a text without a vector its words, and compares the others", () => {
    const texts = [...TEXTS, "🦩🦩 zqxjkv 🦩🦩"];
    const partial = () => ({
      version: table.version,
      embed: (text: string) => (text.includes("zqxjkv") ? undefined : table.embed(text)),
    });
    const db = indexOf(texts, partial);
    const found = ranked(db, "zqxjkv database", { meaning });
    expect(owners(found)).toEqual(expect.arrayContaining([2, 5]));
    const byOwner = new Map(found.best.map((one) => [one.owner, one]));
    expect(byOwner.get(5)).toMatchObject({ cosine: undefined });
    expect(byOwner.get(5)?.strength).toBe(byOwner.get(5)?.words);
    expect(byOwner.get(2)?.strength).toBeGreaterThan(byOwner.get(2)?.words ?? 1);
  });

  it("ignores a vector that is not a number", () => {
    const broken = () => ({
      version: table.version,
      embed: (text: string) =>
        text.includes("cents") ? new Float32Array(256).fill(Number.NaN) : table.embed(text),
    });
    const db = indexOf(TEXTS, broken);
    for (const query of QUERIES) {
      const { best } = ranked(db, query, { meaning });
      for (const { strength, words, cosine = 0 } of best)
        expect([strength, words, cosine].every(Number.isFinite)).toBe(true);
    }
    expect(owners(ranked(db, "integers in cents", { meaning }))[0]).toBe(4);
    const { best } = ranked(db, "money", { meaning: broken });
    for (const { strength } of best) expect(strength).toBeGreaterThan(0);
  });
});
