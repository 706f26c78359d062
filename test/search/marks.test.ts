import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { marksIn } from "../../src/search/marks.ts";
import { eachTerm } from "../../src/search/words.ts";

function termsOf(text: string): string[] {
  const terms: string[] = [];
  eachTerm(text, (term) => terms.push(term));
  return terms;
}

const marked = (text: string, query: string) =>
  marksIn(text, termsOf(query)).map(([from, to]) => text.slice(from, to));

describe("marks of a query in a text", () => {
  it("are the words with the same stem, in any form", () => {
    expect(marked("We searched the indexes; a search is fast.", "searching index")).toEqual([
      "searched",
      "indexes",
      "search",
    ]);
    expect(marked("nothing here", "sqlite")).toEqual([]);
  });

  it("never overlap and are inside the text, whatever it is", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 200 }),
        fc.string({ maxLength: 40 }),
        (text, query) => {
          let end = 0;
          for (const [from, to] of marksIn(text, [...termsOf(query), ...termsOf(text)])) {
            expect(from).toBeGreaterThanOrEqual(end);
            expect(to).toBeGreaterThan(from);
            expect(to).toBeLessThanOrEqual(text.length);
            end = to;
          }
        },
      ),
    );
  });
});
