import { describe, expect, it } from "vitest";
import { stem } from "../../src/search/stem.ts";
import { termsOf } from "../../src/search/words.ts";

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
