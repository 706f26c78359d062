import { eachWord, runsIn, wordOf } from "../words.ts";

/** A word of a query, as it was typed. A query has no syntax: quotes, `NEAR`, `*` and brackets are plain characters. */
export interface QueryWord {
  /** Folded: without case, accents and width. */
  readonly word: string;
  readonly term: string;
  /** The class of its form, see postings.ts. */
  readonly form: number;
  /** Position among all words, stop words included. */
  readonly position: number;
  readonly isStop: boolean;
  /** For a name in one piece (`roll-back`): how many words from `position` on it joins. Otherwise 1. */
  readonly joins: number;
}

/** A prompt may be a whole log file, but its beginning says what it is about. */
const MAX_CHARACTERS = 10_000;
const MAX_TERMS = 200;

/** `most`: how many terms that are not stop words are read. */
export function parseQuery(text: string, most = MAX_TERMS): QueryWord[] {
  const words: QueryWord[] = [];
  const terms = new Set<string>();
  let position = 0;
  for (const run of runsIn(text.slice(0, MAX_CHARACTERS))) {
    if (terms.size >= most) break;
    const first = position;
    eachWord(run, (written, isWord, joins) => {
      // A page of Chinese is one run of thousands of pairs.
      if (terms.size >= MAX_TERMS) return;
      const word = isWord ? wordOf(written) : asItIs(written);
      if (word.term === "") return;
      words.push({ ...word, position: joins > 1 ? first : position++, joins });
      if (!word.isStop) terms.add(word.term);
    });
  }
  return words;
}

const asItIs = (term: string) => ({ word: term, term, form: 0, isStop: false });
