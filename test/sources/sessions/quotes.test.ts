import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { termsOf } from "../../../src/search/words.ts";
import { isOnlyQuestions, quoteOf } from "../../../src/sources/sessions/quotes.ts";

const quote = (text: string, question: string, longest: number) =>
  quoteOf(text, new Set(termsOf(question)), longest);

describe("a quote of a turn", () => {
  it("begins and ends at sentences, wherever its words stand", () => {
    const word = fc.constantFrom("retry", "gateway", "slow", "token", "because", "of", "the", "login");
    const sentence = fc
      .tuple(fc.array(word, { minLength: 1, maxLength: 12 }), fc.constantFrom(".", "!", "?"))
      .map(([words, end]) => `A ${words.join(" ")}${end}`);
    fc.assert(
      fc.property(
        fc.array(sentence, { minLength: 1, maxLength: 30 }),
        fc.constantFrom(" ", "\n", "\n\n"),
        fc.integer({ min: 100, max: 700 }),
        (sentences, between, longest) => {
          const found = quote(sentences.join(between), "why retry the gateway?", longest);
          const bare = found.replace(/^… | …$/g, "");
          expect(bare.length).toBeLessThanOrEqual(longest);
          expect(`${sentences.join(" ")} `).toContain(`${bare} `);
          expect(bare).toMatch(/^A .*[.!?]$/);
        },
      ),
    );
  });

  it("has the sentences with most of the question's words, and what follows them", () => {
    const text = `${"Filler about nothing. ".repeat(20)}We retry once. The gateway is slow then. ${"More of it. ".repeat(40)}`;
    expect(quote(text, "why retry, is the gateway slow?", 90)).toMatch(
      /^… We retry once\. The gateway is slow then\. More of it\./,
    );
  });

  it("joins lines that were wrapped by hand, and keeps list items apart", () => {
    expect(quote("We decided to retry\nonce, the gateway is slow.\n- Next: the button", "retry", 60)).toBe(
      "We decided to retry once, the gateway is slow. …",
    );
  });

  it("cuts only a sentence that is longer than the quote", () => {
    const found = quote(`${"word ".repeat(200)}retry ${"word ".repeat(200)}`, "retry", 100);
    expect(found).toContain("retry");
    expect(found.length).toBeLessThanOrEqual(104);
  });

  it("knows a turn that only asks", () => {
    expect(isOnlyQuestions("Why do we retry? And how often?")).toBe(true);
    expect(isOnlyQuestions("… Why do we retry? Because the gateway is slow.")).toBe(false);
  });
});
