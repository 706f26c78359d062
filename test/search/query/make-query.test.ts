import { expect, it } from "vitest";
import { openMeaning } from "../../../src/search/meaning/embed.ts";
import { makeQuery } from "../../../src/search/query/make-query.ts";
import { emptyIndex, put } from "../vectors/text-index.ts";

it("takes punctuation alone for no meaning, although the table has vectors of it", () => {
  const db = emptyIndex();
  const meaning = openMeaning();
  put(db, new Map([[1, ["Costs rose by 5 % (see below)."]]]), meaning);
  for (const mark of ["%", "'", "..", "!!!", "* ("]) {
    expect(meaning.embed(mark)).toHaveLength(256);
    expect(makeQuery(db, mark, { meaning: () => meaning })).toEqual({ terms: [], words: [], replaced: [] });
  }
  expect(makeQuery(db, "5 %", { meaning: () => meaning }).nearness).toBeDefined();
  meaning.close();
  db.close();
});
