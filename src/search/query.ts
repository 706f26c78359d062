import { ContinuoError } from "../base/errors.ts";
import { eachTerm } from "./words.ts";

/** A prompt may be a whole log file: its beginning says what it is about. */
const MOST_CHARACTERS = 10_000;
const MOST_TERMS = 200;

/** The terms that a query looks for, each once. It has no syntax: quotes, `NEAR`, `*` and brackets are just signs. */
export function queryTerms(query: string): string[] {
  const terms = new Set<string>();
  eachTerm(query.slice(0, MOST_CHARACTERS), (term) => {
    if (terms.size < MOST_TERMS) terms.add(term);
  });
  return [...terms];
}

export function emptyQuery(query: string, what = "the note"): ContinuoError {
  const shown = query.trim().slice(0, 60);
  const message =
    shown === "" ? "the query is empty" : `"${shown}" has only words that occur in every text, or none`;
  return new ContinuoError("query-empty", message, {
    hint: `name what ${what} is about, such as a topic or a name`,
  });
}
