import { expect, it } from "vitest";
import { expandQuery } from "../../../src/search/query/expand.ts";
import { matchedWords } from "../../../src/search/query/notices.ts";
import { parseQuery } from "../../../src/search/query/parse.ts";
import { emptyIndex, put } from "../vectors/text-index.ts";

/** Why one of these texts is found, as people are told. */
function matched(query: string, ...texts: readonly string[]): string[] {
  const db = emptyIndex();
  put(db, new Map(texts.map((text, at) => [at + 1, [text]])), undefined);
  const { terms } = expandQuery(db, parseQuery(query));
  db.close();
  return matchedWords(terms, texts);
}

it("shows a name that a text has in one piece as one word", () => {
  expect(matched("release with GitHub Actions", "GitHub Actions make the release.")).toEqual([
    "release",
    "github",
    "actions",
  ]);
  expect(matched("get_user_name", "Call getUserName.")).toEqual(["getusername"]);
  expect(matched("data base", "The database.")).toEqual(["database"]);
});

it("shows its words where a text has only these", () => {
  expect(matched("GitHub", "A git repository.", "A hub.")).toEqual(["git", "hub"]);
  expect(matched("rolled back", "It was rolled back.")).toEqual(["rolled", "back"]);
});
