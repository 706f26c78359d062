import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  fitOf,
  fold,
  matchesIn,
  scoreOf,
  wordsOf,
} from "../../../../src/cli/commands/sessions/pick-match.ts";
import { candidate } from "./candidates.ts";

const score = (query: string, given: Parameters<typeof candidate>[0]) =>
  scoreOf(wordsOf(query), candidate(given).text);

const CART = {
  name: "Fix cart rounding",
  project: "shop",
  prompts: "Totals are wrong by a cent: round half to even",
};

describe("the fuzzy search of sessions", () => {
  it("finds words of the name, the project, the agent and the first prompts", () => {
    for (const query of ["cart", "ROUND", "shop", "claude", "cent", "shop cart", "even fix", "claude shop"])
      expect(score(query, CART), query).toBeGreaterThan(0);
    for (const query of ["giraffe", "cart giraffe", "codex"]) expect(score(query, CART), query).toBe(0);
  });

  it("finds a word with characters left out, and first characters of words; not letters from anywhere", () => {
    for (const query of ["rndng", "crt", "fcr", "fxcart", "shp", "ttls"])
      expect(score(query, CART), query).toBeGreaterThan(0);
    for (const query of ["ixar", "tng", "zz"]) expect(score(query, CART), query).toBe(0);
  });

  it("prefers the beginning of a word to its middle, the name to the prompts, and a part to scattered characters", () => {
    const better = (query: string, one: string, other: Parameters<typeof candidate>[0]) =>
      expect(score(query, { name: one }), `${query}: ${one}`).toBeGreaterThan(score(query, other));
    better("art", "Art gallery", { name: "Cart" });
    better("cart", "The cart", { name: "Other", prompts: "the cart" });
    better("cart", "My cart", { name: "Change all random tests" });
  });

  it("takes no notice of case and accents, in either", () => {
    expect(score("resume", { name: "Résumé für Zoë" })).toBeGreaterThan(0);
    expect(score("ZOË", { name: "resume for zoe" })).toBeGreaterThan(0);
    expect(score("東京", { name: "東京の天気" })).toBeGreaterThan(0);
  });

  it("folding keeps every character in its place", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => fold(text).length === text.length));
    expect(fold("ÄİßΆ한é")).toHaveLength(6);
  });

  it("marks the characters that match", () => {
    const marked = (query: string, name: string) =>
      [...matchesIn(wordsOf(query), fold(name))]
        .sort((a, b) => a - b)
        .map((at) => name[at])
        .join("");
    expect(marked("rou", "Fix cart rounding")).toBe("rou");
    expect(marked("fcr", "Fix cart rounding")).toBe("Fcr");
    expect(marked("xyz", "Fix cart rounding")).toBe("");
  });

  it("what it says it found is there, in order, also for texts that are made to be slow", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", " ", "-"), maxLength: 60 });
    const word = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(word, text, (typed, folded) => {
        const fit = fitOf(typed, folded);
        if (fit === undefined) return !folded.includes(typed);
        expect(fit.at.map((at) => folded[at]).join("")).toBe(typed);
        expect([...fit.at]).toEqual([...fit.at].sort((a, b) => a - b));
        expect(fit.fit).toBeGreaterThan(0);
        return fit.fit <= 1;
      }),
    );
    expect(fitOf(`${"a".repeat(60)}b`, "a".repeat(200))).toBeUndefined();
    expect(fitOf(`${"a".repeat(30)}b`, "a ".repeat(100))).toBeUndefined();
  });
});
