import { describe, expect, it } from "vitest";
import { BASE, DERIVED, INFLECTED } from "../../src/search/postings.ts";
import { stem } from "../../src/search/stem.ts";
import { eachTerm, termsOf, wordOf } from "../../src/search/words.ts";

describe("the terms of a text", () => {
  it.each(["getUserName", "get_user_name", "get-user-name", "GetUserName"])(
    "finds the name %s whole and by parts",
    (name) => {
      expect(termsOf(name)).toEqual(expect.arrayContaining(["getusernam", "user", "name"]));
    },
  );

  it.each([
    ["src/store/index.ts", ["src", "store", "index", "ts"]],
    ["HTTPServer", ["http", "server", "httpserver"]],
    ["Node v22.19.0", ["node", "22.19.0"]],
    ["naïve Ärger", ["naiv", "arger"]],
    ["全文検索", ["全文", "文検", "検索"]],
    ["the indexes were indexed", ["index", "index"]],
    ["what is it 🚀 …", []],
  ])("of %s are its words", (text, terms) => {
    expect(termsOf(text)).toEqual(terms);
  });

  it("are bounded for encoded data", () => {
    expect(termsOf("x".repeat(100_000)).map((term) => term.length)).toEqual([40]);
  });
});

describe("the form of a word", () => {
  it.each([
    ["product", BASE],
    ["Products", INFLECTED],
    ["production", DERIVED],
    ["productions", DERIVED],
    ["cache", BASE],
    ["caches", INFLECTED],
    ["cached", INFLECTED],
    ["caching", INFLECTED],
    ["query", BASE],
    ["queries", INFLECTED],
    ["install", BASE],
    ["installed", INFLECTED],
    ["class", BASE],
    ["classes", INFLECTED],
    ["configure", BASE],
    ["configuration", DERIVED],
    ["22.19.0", BASE],
    ["naïve", BASE],
  ])("%s is of class %i", (word, form) => {
    expect(wordOf(word).form).toBe(form);
    const seen: number[] = [];
    // Twice: the second time from the cache.
    eachTerm(`${word} ${word}`, (_term, _at, one) => seen.push(one));
    expect(seen).toEqual([form, form]);
  });
});

describe("a compound written apart", () => {
  it.each([
    ["roll back the deploy", "rollback"],
    ["It was rolled back.", "rollback"],
    ["Rolling\nBack", "rollback"],
    ["set up", "setup"],
    ["they logged in", "login"],
    ["a request timed out", "timeout"],
    ["fall back", "fallback"],
    ["sign on", "signon"],
    ["it carries over", "carryov"],
  ])("%s has the term %s", (text, term) => {
    expect(termsOf(text)).toContain(term);
  });

  it.each([
    "the file in the cache",
    "roll, back",
    "roll  back",
    "was up",
    "work on it",
    "responsibilities up",
  ])("is not made of %s", (text) => {
    const parts = text.split(/[^a-z]+/).flatMap(termsOf);
    expect(termsOf(text)).toEqual(parts);
  });

  it("is found where it begins", () => {
    const places: [string, number][] = [];
    eachTerm("we set up it", (term, at) => places.push([term, at]));
    expect(places).toEqual([
      ["set", 3],
      ["setup", 3],
    ]);
  });
});

it("gives stop words only if asked to", () => {
  const all: string[] = [];
  eachTerm("Go, it is an API; not-all", (term) => all.push(term), true);
  expect(all).toEqual(["go", "it", "is", "an", "api", "not", "all", "notal"]);
  expect(termsOf("Go, it is an API; not-all")).toEqual(["api", "notal"]);
});

// From the paper's own examples.
it.each([
  ["caresses", "caress"],
  ["ponies", "poni"],
  ["agreed", "agre"],
  ["hopping", "hop"],
  ["filing", "file"],
  ["relational", "relat"],
  ["vietnamization", "vietnam"],
  ["hopefulness", "hope"],
  ["adjustment", "adjust"],
  ["adoption", "adopt"],
  ["controll", "control"],
  ["rate", "rate"],
])("stems %s to %s", (word, expected) => {
  expect(stem(word)).toBe(expected);
});
