import fc from "fast-check";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { setNotes } from "../../../../bench/meaning/questions.ts";
import { compose } from "../../../../src/compose/compose.ts";
import { countTokens } from "../../../../src/compose/tokens.ts";
import { startList } from "../../../../src/sources/notes/ports/start-list.ts";
import { lineOf, tellingOf } from "../../../../src/sources/notes/ports/telling-line.ts";
import { item, section } from "../../../support/world.ts";

const said = (body: string, title = "Cart rounding") => tellingOf({ title, body })[0]?.sentence ?? "";

describe("the sentence that says most", () => {
  it.each([
    [
      "a decision, not the context before it",
      "## Context\n\nPrices come from the catalog in cents.\n\n## Decision\n\nTotals are always rounded once, at the end.",
      "Totals are always rounded once, at the end.",
    ],
    [
      "a cause, not the symptom",
      "## Symptom\n\nThe total was off by one cent in March.\n\nRoot cause: each line was rounded before the sum, because the tax module expects that.",
      "each line was rounded before the sum, because the tax module expects that.",
    ],
    [
      "a warning in a list",
      "Some notes about the cart of the shop.\n\n- the first item\n- Never call `toFixed` on a total, it rounds twice.",
      "Never call toFixed on a total, it rounds twice.",
    ],
    [
      "the first sentence if none is stronger",
      "The cart has a list of lines and one total. It lives in memory of the browser.",
      "The cart has a list of lines and one total.",
    ],
    [
      "links by what they show",
      "We use [[decimal.js|decimals]] for [[money]], see [docs](https://x.org).",
      "We use decimals for money, see docs.",
    ],
  ])("is %s", (_, body, sentence) => {
    expect(said(body)).toBe(sentence);
  });

  it.each([
    ["the title again", "# Cart rounding\n\nCart rounding."],
    ["a heading", "# Cart rounding\n\n## We must never round twice in the cart\n"],
    ["code", "```\nnever round twice because it must not happen\n```"],
    ["a label", "Status: accepted by the whole team in March\n\nTags: cart, money, rounding, decision"],
    ["a question", "Why do we round the totals only once?"],
    ["nothing", ""],
  ])("is never %s", (_, body) => {
    expect(said(body)).toBe("");
  });

  it("has no secret, also not a half one", () => {
    const key = `sk-proj-${"aB3".repeat(14)}`;
    expect(said(`The billing pipeline always signs with ${key} at night.`)).not.toContain("aB3aB3");
  });
});

const text = fc.oneof(
  fc.string({ maxLength: 300 }),
  fc.string({ unit: "grapheme", maxLength: 200 }),
  fc
    .array(
      fc.constantFrom(
        "never",
        "because",
        "`code`",
        "[[",
        "]]",
        "|",
        "#",
        "\n",
        ". ",
        "**",
        "世界",
        "a_b",
        "9.99",
        "🚀",
      ),
      {
        maxLength: 80,
      },
    )
    .map((words) => words.join(" ")),
);

describe("a line", () => {
  it("is one line within its tokens, with the title first, whatever title and text are", () => {
    fc.assert(
      fc.property(text, text, fc.integer({ min: 6, max: 30 }), (title, body, tokens) => {
        const line = lineOf(title, tellingOf({ title, body }), tokens);
        expect(line).not.toMatch(/[\r\n]/);
        expect(line.startsWith("- ")).toBe(true);
        expect(line.isWellFormed()).toBe(true);
        expect(countTokens(line)).toBeLessThanOrEqual(tokens);
      }),
      { numRuns: 500 },
    );
  });

  it("keeps whole words, and ends with a mark where some are left out", () => {
    const line = lineOf(
      "Cart rounding",
      [{ sentence: "Totals are always rounded once at the very end of all that we do", weight: 1 }],
      14,
    );
    expect(line).toMatch(/^- Cart rounding: Totals are always rounded [a-z ]+…$/);
  });

  it("is the title alone where a sentence has no room", () => {
    const title = "A title of so many words that nothing else has any room beside it in a line";
    expect(lineOf(title, [{ sentence: "Never round a total twice.", weight: 1 }], 14)).toMatch(
      /^- A title of so many words [a-z ]+…$/,
    );
  });
});

const note = fc.record({
  uri: fc.string({ minLength: 1, maxLength: 8 }),
  title: text,
  body: text,
  value: fc.double({ min: 0, max: 2, noNaN: true }),
});

const urisOf = (list: readonly { readonly uri: string }[]) => list.map(({ uri }) => uri);

describe("the list of a start", () => {
  it("has at most six lines and 86 tokens, in the order of `before`, then of value; the same for the same notes", () => {
    fc.assert(
      fc.property(fc.uniqueArray(note, { selector: ({ uri }) => uri, maxLength: 12 }), (notes) => {
        const list = startList(notes);
        expect(list.length).toBeLessThanOrEqual(6);
        expect(countTokens(list.map((line) => `- ${line.text}`).join("\n"))).toBeLessThanOrEqual(86);
        expect(startList([...notes].reverse(), urisOf(list))).toEqual(list);
      }),
    );
  });

  it("costs at most 120 by the real tokenizer with its frame, and tells of three notes or more", () => {
    const notes = setNotes();
    for (let from = 0; from < notes.length; from += 7) {
      const some = Array.from({ length: 20 }, (_, i) => notes[(from + i * 11) % notes.length]).flatMap(
        (one) => (one === undefined ? [] : [{ uri: one.id, title: one.title, body: one.text, value: 1 }]),
      );
      const list = startList(some);
      expect(list.length).toBeGreaterThanOrEqual(3);
      const lines = list.map((line) => item(line.uri, line.text));
      const shown = section(lines, {
        layout: "lines",
        title: "Project notes (read_memory by title)",
        nature: "reference",
      });
      const { text } = compose("snapshot", [shown], { limit: 4000, aim: 600 });
      expect(encode(text.replace(/^<continuo>\n|\n<\/continuo>$/g, "")).length).toBeLessThanOrEqual(120);
    }
  });

  it("begins with what the session was told before, as far as it exists", () => {
    const of = (uri: string, value: number) => ({ uri, title: `Title ${uri}`, body: "", value });
    const notes = [of("a", 1), of("b", 2), of("c", 3)];
    expect(urisOf(startList(notes))).toEqual(["c", "b", "a"]);
    expect(urisOf(startList(notes, ["gone", "a"]))).toEqual(["a", "c", "b"]);
  });
});
