import type { QueryTerm } from "../query-term.ts";
import { eachTerm, wordAt } from "../words.ts";

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

/** More words say no more about one result. */
const MOST = 6;

/**
 * The words of a query that these texts have, in the order of the query, as people are told why something was found. A word
 * that nothing has is given as the one that was searched for instead, the halves of a name that a text has in one piece as
 * that name.
 */
export function matchedWords(terms: readonly QueryTerm[], texts: readonly string[]): string[] {
  const wanted = new Set(terms.flatMap(({ matches }) => matches.flatMap((match) => match.terms)));
  const written = new Map<string, string>();
  for (const text of texts)
    eachTerm(text, (term, at) => {
      // Empty for a verb and its particle: their term is no word of the text.
      if (wanted.has(term) && !written.has(term)) written.set(term, wordAt(text, at, term));
    });
  const words = terms.flatMap(({ word, matches }) => {
    const whole = matches.find(({ how, terms: [term = ""] }) => how === "joined" && written.get(term));
    if (whole !== undefined) return [written.get(whole.terms[0] ?? "") ?? word];
    const match = matches.find((one) => one.terms.every((term) => written.has(term)));
    if (match === undefined) return [];
    const isOther = match.how === "typo" || match.how === "prefix";
    return isOther ? match.terms.map((term) => written.get(term) || term) : [word];
  });
  return [...new Set(words)].slice(0, MOST);
}
