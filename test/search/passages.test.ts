import { describe, expect, it } from "vitest";
import { passagesOf, snippetOf } from "../../src/search/passages.ts";
import { queryTerms } from "../../src/search/words.ts";

const FILLER = "Nothing of interest stands here. ".repeat(20);

describe("a snippet", () => {
  it.each([
    ["a stem that ends otherwise than its word", "days", "Sunny day again"],
    ["a name by its parts", "user name", "call getUserName(id)"],
    ["a name whose parts are single letters", "a_b_c", "see a-b-c there"],
    ["an accent", "uber", "Über allen Gipfeln"],
    ["a version", "v1.2.3", "since v1.2.3, that is"],
    ["a script without spaces", "検索", "全文検索です"],
  ])("shows %s", (_, query, text) => {
    expect(snippetOf(`${FILLER}${text}. ${FILLER}`, 0, queryTerms(query))).toContain(text);
  });

  it("begins where most of the wanted words are close together", () => {
    const body = `One apple. ${FILLER}An apple with a pear and a plum. ${FILLER}`;
    expect(snippetOf(body, 0, queryTerms("apple pear plum"))).toContain("An apple with a pear and a plum.");
  });
});

describe("passages", () => {
  it("are cut at a line end, else at a space, else anywhere, in the second half of their length", () => {
    const cutAt = (before: string, after: string) => passagesOf(before + after)[0];
    const text = (length: number) => "x".repeat(length);
    expect(cutAt(`${text(800)}\n${text(100)} `, text(2000))).toHaveLength(801);
    expect(cutAt(`${text(700)}\n${text(100)} `, text(2000))).toHaveLength(802);
    expect(cutAt(`${text(700)}\n`, text(2000))).toHaveLength(1500);
  });

  it("of megabytes without a space are cut without reading all of it for each", () => {
    const text = "x".repeat(12_000_000);
    expect(passagesOf(text)).toHaveLength(8000);
  });
});
