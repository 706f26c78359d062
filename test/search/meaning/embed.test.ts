import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Meaning, openMeaning } from "../../../src/search/meaning/embed.ts";
import { tableFile } from "./table-file.ts";

const PIECES: Record<string, readonly number[]> = {
  roll: [3, 0, 0, 0, 0, 0, 0, 1],
  back: [0, 2, 0, 0, 0, 0, -1, 0],
  "##back": [0, 2, 0.5, 0, 0, 0, 0, 0],
  "##s": [0, 0, 0, 0.1, 0, 0, 0, 0],
  get: [0, 0, 1, 0, 0, 0, 0, 0],
  user: [0, 0, 0, 0, 5, -5, 0, 0],
  ",": [0.01, 0, 0, 0, 0, 0, 0, 0.01],
  // Known, but without a vector.
  the: [],
};
const pieces = Object.entries(PIECES).map(([text, values]) => ({
  text,
  vector: values.length === 0 ? undefined : Float32Array.from(values),
}));

function withTable(test: (meaning: Meaning) => void, bits: 4 | 8 = 8): void {
  using file = tableFile(pieces, bits);
  const meaning = openMeaning(file.path);
  try {
    test(meaning);
  } finally {
    meaning.close();
  }
}

/** The same, computed in the plainest way. */
function mean(names: readonly string[]): number[] {
  const sum = Array.from({ length: 8 }, (_, i) =>
    names.reduce((all, name) => all + (PIECES[name]?.[i] ?? 0), 0),
  );
  return sum.map((value) => value / Math.hypot(...sum));
}
const cosine = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Array.from(a, (value, i) => value * (b[i] ?? 0)).reduce((sum, value) => sum + value, 0);

describe.each([4, 8] as const)("a table of %i bits", (bits) => {
  it.each([
    ["roll back", ["roll", "back"]],
    ["Rollback, rollbacks", ["roll", "##back", ",", "roll", "##back", "##s"]],
    ["getUser", ["get", "user"]],
    ["the user", ["user"]],
    ["unknown user", ["user"]],
    ["ROLL ROLL ROLL back", ["roll", "roll", "roll", "back"]],
  ])("gives %j the direction of the mean of its pieces' vectors", (text, names) => {
    withTable((meaning) => {
      const vector = meaning.embed(text) ?? [];
      expect(Math.hypot(...vector)).toBeCloseTo(1, 6);
      expect(cosine(vector, mean(names))).toBeGreaterThan(bits === 8 ? 0.9999 : 0.98);
    }, bits);
  });
});

describe("a text", () => {
  it.each(["", " \n\t", "the", "unknown", "🦄", "[MASK]", "\u0000", "\ud800", "語"])(
    "of no known piece, %j, has no vector",
    (text) => {
      withTable((meaning) => expect(meaning.embed(text)).toBeUndefined());
    },
  );

  it("has the same vector to the last bit in any order of its words, whatever was embedded before", () => {
    withTable((meaning) => {
      const first = meaning.embed("roll back user , get");
      for (let i = 0; i < 20; i++) expect(meaning.embed("get , user back roll")).toEqual(first);
    }, 4);
  });

  it("counts with its first 254 pieces", () => {
    withTable((meaning) => {
      const full = meaning.embed("roll ".repeat(254));
      expect(meaning.embed("roll ".repeat(254) + "back ".repeat(500))).toEqual(full);
      expect(meaning.embed(`${"roll ".repeat(253)}back`)).not.toEqual(full);
      // Unknown pieces count too, as they do for the reference.
      expect(meaning.embed(`${"unknown ".repeat(254)}back`)).toBeUndefined();
      // Within a word, and when the word comes from the cache.
      for (let i = 0; i < 10; i++)
        expect(meaning.embed(`${"roll ".repeat(253)}rollback`)).toEqual(meaning.embed("roll"));
    });
  });

  it("of a megabyte is read only at its beginning", () => {
    withTable((meaning) => {
      const marks = "\u0301".repeat(1_000_000);
      expect(meaning.embed(`${" ".repeat(8000)}roll${" ".repeat(1_000_000)}back`)).toEqual(
        meaning.embed("roll"),
      );
      expect(meaning.embed(`${" ".repeat(1_000_000)}roll`)).toBeUndefined();
      for (const huge of [
        "x".repeat(1_000_000),
        `o${marks}`,
        "語".repeat(500_000),
        "\ud800".repeat(500_000),
        "ab\u0000".repeat(300_000),
      ])
        expect(meaning.embed(`user ${huge}`)).toEqual(meaning.embed("user"));
    });
  });

  it("never throws and has length 1, whatever it is", () => {
    withTable((meaning) => {
      const odd = fc.constantFrom(
        "roll",
        "back",
        "##",
        "[MASK]",
        "\ud800",
        "\udc00",
        "\u0000",
        "\u202e",
        "שלום",
        "語",
        "👩‍👩‍👧",
        "e\u0301",
        "Σ",
        "İ",
        "  ",
      );
      const texts = fc.oneof(
        fc.string({ unit: "binary", maxLength: 300 }),
        fc.array(odd, { maxLength: 400 }).map((all) => all.join("")),
      );
      const test = (text: string) => {
        const vector = meaning.embed(text);
        if (vector !== undefined) expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
      };
      fc.assert(fc.property(texts, test), { numRuns: 500 });
    });
  });
});

describe("the shipped table", () => {
  it("is complete and finds a text in other words", () => {
    const meaning = openMeaning();
    try {
      meaning.verify();
      expect(meaning.version).toMatch(/^\S+$/);
      const question = meaning.embed("undo a bad deployment") ?? [];
      const near = cosine(question, meaning.embed("roll back to the previous release") ?? []);
      const far = cosine(question, meaning.embed("the colours of the settings page") ?? []);
      expect(question).toHaveLength(meaning.dimensions);
      expect(near).toBeGreaterThan(far + 0.1);
    } finally {
      meaning.close();
    }
  });
});
