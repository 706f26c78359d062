import { eachTerm, wordAt } from "../words.ts";
import type { QueryTerm } from "./expand.ts";

/**
 * Tells what was searched for instead of words that nothing has. The index knows stems only, so the words are taken from
 * the `texts` of the best hits, with their titles.
 */
export function noticesOf(
  replaced: readonly QueryTerm[],
  what: "note" | "session",
  texts: readonly string[],
): string[] {
  return replaced.map(({ word, matches }) => {
    const isPrefix = matches.some(({ how }) => how === "prefix");
    const shown = matches.map(({ terms }) => `"${terms.map((term) => writtenAs(term, texts)).join(" ")}"`);
    return `no ${what} has "${word}": searched for ${isPrefix ? "words that begin with it" : shown.join(", ")}`;
  });
}

/** The first word with this term in the texts; a stem alone is shown as the beginning of a word. */
function writtenAs(term: string, texts: readonly string[]): string {
  for (const text of texts) {
    let found = "";
    eachTerm(text, (one, at) => {
      if (found === "" && one === term) found = wordAt(text, at, term);
    });
    if (found !== "") return found;
  }
  return `${term}…`;
}
