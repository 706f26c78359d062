import type { QueryTerm } from "../query-term.ts";
import { eachTerm, wordAt } from "../words.ts";

/**
 * Says what was searched for instead of unknown words. The index has only stems, so the words are taken from the titles
 * and `texts` of the best hits.
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

/** The first word with this term in the texts. Without one, the stem with an ellipsis. */
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

/** More words would not explain a result better. */
const MOST = 6;

/**
 * The words of a query that these texts contain, in the order of the query, to explain why something was found. A
 * replaced word is given as its replacement; two halves of a name that a text writes as one are given as that name.
 */
export function matchedWords(terms: readonly QueryTerm[], texts: readonly string[]): string[] {
  const wanted = new Set(terms.flatMap(({ matches }) => matches.flatMap((match) => match.terms)));
  const written = new Map<string, string>();
  for (const text of texts)
    eachTerm(text, (term, at) => {
      // Empty for a verb and its particle: their joint term is not a word in the text.
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
