import { describe, expect, it } from "vitest";
import { rerank } from "../../../src/search/rank/rerank.ts";
import { indexOf, owners, ranked } from "./text-index.ts";

const PRODUCT = "The product has a price and a picture.";
const PRODUCTION = "The production has a price and a picture.";
const OTHER = "Nothing of the kind, only a picture.";

describe("the form of a word", () => {
  it.each([
    ["production", 2],
    ["product", 1],
    ["Production price", 2],
  ])("that was typed comes first: %s", (query, first) => {
    const found = ranked(indexOf([PRODUCT, PRODUCTION, OTHER]), query);
    expect(owners(found)).toEqual([first, 3 - first]);
    expect(found.best[0]?.words).toBeGreaterThan(found.best[1]?.words ?? 1);
  });

  it("that was typed comes first in the title too", () => {
    const titled = ["Product", "Production"].map((title) => ({ title, text: OTHER }));
    expect(owners(ranked(indexOf([...titled, OTHER]), "production"))).toEqual([2, 1]);
    expect(owners(ranked(indexOf([...titled, OTHER]), "product"))).toEqual([1, 2]);
  });

  it("makes no difference where only another form occurs", () => {
    const db = indexOf([PRODUCT, PRODUCT, OTHER]);
    expect(ranked(db, "production")).toEqual(ranked(db, "product"));
    expect(owners(ranked(db, "production"))).toEqual([1, 2]);
  });
});

describe("a word that occurs in several ways", () => {
  it("counts once in a passage, in its best way", () => {
    // "rolled back" is indexed as roll and as rollback, and the query means both.
    const [both, single] = ["We rolled back the release.", "We rollback the release."].map(
      (text) => ranked(indexOf([text, OTHER, OTHER]), "roll back").best[0]?.words ?? 0,
    );
    expect(both).toBeGreaterThan(0);
    expect(both).toBeLessThanOrEqual(1);
    // The joined form counts nine tenths of the word itself.
    expect((single ?? 0) / (both ?? 1)).toBeGreaterThan(0.85);
    expect(single).toBeLessThanOrEqual(both ?? 0);
  });

  it("does not beat a second word of the query", () => {
    const db = indexOf([
      "Rollback, rolled back, roll-back: rolling back and rollbacks.",
      "Roll back the migration of the ledger.",
      OTHER,
    ]);
    expect(owners(ranked(db, "roll back migration"))[0]).toBe(2);
  });
});

describe("a phrase", () => {
  it("beats its parts when the texts are compared", () => {
    const texts = [
      "The branch goes to the shadow worktree.",
      "The shadow branch goes to the worktree.",
      "The worktree goes to the branch, in a shadow.",
    ];
    const { best } = ranked(indexOf(texts), "shadow branch");
    const strengths = best.map(({ words }) => words);
    // Words alone do not tell them apart.
    expect(Math.max(...strengths) - Math.min(...strengths)).toBeLessThan(1e-9);
    const [first] = rerank("shadow branch", best, ({ owner }) => texts[owner - 1] ?? "", 0.7);
    expect(first?.one.owner).toBe(2);
  });
});

describe("what is found", () => {
  it("is everything with half of the words, however common they are", () => {
    const db = indexOf(Array.from({ length: 40 }, (_, i) => `Banana number${i} in a bowl.`));
    expect(ranked(db, "banana").total).toBe(40);
    expect(ranked(db, "banana number7").total).toBe(40);
    expect(owners(ranked(db, "banana number7"))[0]).toBe(8);
  });

  it("is not what has one common word of a long question", () => {
    const texts = Array.from({ length: 40 }, (_, i) => `Banana number${i} in a bowl.`);
    const db = indexOf([...texts, "The zeppelin crossed the ocean with hydrogen."]);
    expect(owners(ranked(db, "did a zeppelin with hydrogen cross the ocean, or a banana"))).toEqual([41]);
  });

  it("is by stop words what has them in its title, if the query has no others", () => {
    const db = indexOf([
      { title: "What is it", text: "A riddle." },
      { title: "Cache", text: "What is it good for?" },
    ]);
    expect(owners(ranked(db, "what is it"))).toEqual([1]);
    expect(owners(ranked(db, "what is a cache"))).toEqual([2]);
  });

  it("is nothing in an empty index, and for a query of which nothing occurs", () => {
    expect(ranked(indexOf([]), "banana")).toEqual({ best: [], total: 0, strengths: [] });
    expect(ranked(indexOf([OTHER]), "xylophone")).toEqual({ best: [], total: 0, strengths: [] });
    expect(ranked(indexOf([OTHER]), "🚀")).toEqual({ best: [], total: 0, strengths: [] });
  });
});
