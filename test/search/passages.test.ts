import { describe, expect, it } from "vitest";
import { snippetOf } from "../../src/search/passages.ts";
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
