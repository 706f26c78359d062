import type { Database } from "../../store/sqlite/types.ts";
import { FORMS } from "../postings.ts";
import type { Match, QueryTerm } from "../query-term.ts";
import { wordOf } from "../words.ts";
import { completionsOf, compoundsIn, correctionsOf, isKnownWord, SHORTEST_PREFIX } from "./near-words.ts";
import type { QueryWord } from "./parse.ts";
import { Vocabulary } from "./vocabulary.ts";

export interface ExpandOptions {
  /** Whether to look for typos and prefixes. Not in hooks, because nobody reads their notices. */
  readonly isLenient?: boolean;
  /** Whether a word exists, although the index does not have it. Such a word, and its forms, are not typos. */
  isWord?(word: string): boolean;
}

export interface Expanded {
  /** One for each distinct term of the query, in order. */
  readonly terms: readonly QueryTerm[];
  /**
   * Words that the index does not have and that were replaced. The caller reports them with `noticesOf` (notices.ts).
   */
  readonly replaced: readonly QueryTerm[];
}

/** A longer query has enough words, and is probably a prompt, so its words are used as they are. */
const MOST_WORDS = 6;
/** Looking for replacements takes milliseconds in a large index, so only the first few words get any. */
const MOST_REPLACED = 3;
/** In passages: a compound this rare may be written as two words in most texts. */
const RARE = 3;
const SHORTEST_HALF = 3;
const MOST_TYPOS = 3;
const MOST_PREFIXES = 8;
/** A correction this many times rarer than the most frequent one is dropped. */
const MUCH_RARER = 4;

const JOINED = 0.9;
const REPLACED = 0.7;

/**
 * Determines what to search for. Stop words count only if there is nothing else. In a query of more than `MOST_WORDS`
 * words no replacements are looked up, except compounds.
 */
export function expandQuery(
  db: Database,
  words: readonly QueryWord[],
  { isLenient = true, isWord = () => false }: ExpandOptions = {},
): Expanded {
  const vocabulary = new Vocabulary(db);
  const asked = askedIn(words);
  const isShort = asked.size <= MOST_WORDS;
  const possible = compoundsIn(words, isShort);
  const existing = vocabulary.among(possible.map(({ term }) => [term, FORMS]));
  const compounds = possible.filter(({ term }) => existing.has(term));
  const replaced: QueryTerm[] = [];
  let looked = 0;
  const terms = [...asked].map(([term, { word, form, positions }]): QueryTerm => {
    const frequency = isShort ? vocabulary.frequency(term) : RARE + 1;
    const matches: Match[] = frequency > 0 ? [{ terms: [term], weight: 1, form, how: "word" }] : [];
    for (const one of compounds) {
      if (one.term !== term && positions.some((at) => at >= one.from && at < one.to))
        add(matches, { terms: [one.term], weight: JOINED, form: one.form, how: "joined" });
    }
    if (
      !isLenient ||
      !isShort ||
      frequency > RARE ||
      looked >= MOST_REPLACED ||
      matches.some(({ how }) => how === "joined")
    )
      return { word, matches };
    looked++;
    const instead = insteadOf(word, frequency, vocabulary, isWord);
    matches.push(...(instead?.matches ?? []));
    const expanded = { word, matches };
    if (instead !== undefined && frequency === 0) replaced.push(expanded);
    return expanded;
  });
  return { terms, replaced };
}

interface Asked {
  readonly word: string;
  readonly form: number;
  readonly positions: readonly number[];
}

/** The words to search for, by term. */
function askedIn(words: readonly QueryWord[]): Map<string, Asked> {
  const plain = words.filter(({ joins }) => joins === 1);
  const telling = plain.filter(({ isStop }) => !isStop);
  // A name that consists of stop words (`is-not`) is informative too.
  const names = words.filter(
    ({ joins, position, isStop }) =>
      joins > 1 &&
      !isStop &&
      !telling.some((one) => one.position >= position && one.position < position + joins),
  );
  const chosen = [...telling, ...names].length > 0 ? [...telling, ...names] : plain;
  const asked = new Map<string, Asked>();
  for (const { term, word, form, position } of chosen) {
    const known = asked.get(term);
    asked.set(term, {
      word: known?.word ?? word,
      form: (known?.form ?? 0) | form,
      positions: [...(known?.positions ?? []), position],
    });
  }
  return asked;
}

function add(matches: Match[], match: Match): void {
  if (!matches.some(({ terms }) => terms.join(" ") === match.terms.join(" "))) matches.push(match);
}

interface Instead {
  readonly frequency: number;
  readonly matches: readonly Match[];
}

const match = (how: Match["how"], ...terms: readonly string[]): Match => ({
  terms,
  weight: REPLACED,
  form: 0,
  how,
});

/**
 * The most frequent candidate, to search for instead of a word or in addition to it. A word in the index is only split.
 */
function insteadOf(
  word: string,
  frequency: number,
  vocabulary: Vocabulary,
  isWord: (word: string) => boolean,
): Instead | undefined {
  const typos = frequency > 0 || isKnownWord(word, isWord) ? undefined : typosOf(word, vocabulary);
  const prefixes = frequency > 0 ? undefined : prefixesOf(word, vocabulary);
  return [typos, prefixes, splitOf(word, vocabulary)]
    .filter((one) => one !== undefined)
    .toSorted((a, b) => b.frequency - a.frequency)
    .at(0);
}

/** "Shortened" is not "short" and "ened", which has the stem "en". */
const ENDING =
  /^(?:ings?|ned|ened|ening|ness|ments?|able|ible|ers|est|ful|less|ations?|tions?|ity|ist|ism|ous|ive|i[sz]e[ds]?)$/;

function isHalf({ isStop, term }: { readonly isStop: boolean; readonly term: string }): boolean {
  return !isStop && term.length >= SHORTEST_HALF;
}

/** Splits a word into two words that the index both has: the pair whose rarer word is the most frequent. */
function splitOf(word: string, vocabulary: Vocabulary): Instead | undefined {
  const splits: [string, string][] = [];
  for (let at = SHORTEST_HALF; at <= word.length - SHORTEST_HALF; at++) {
    const [first, second] = [wordOf(word.slice(0, at)), wordOf(word.slice(at))];
    if (isHalf(first) && isHalf(second) && !ENDING.test(word.slice(at)))
      splits.push([first.term, second.term]);
  }
  const found = vocabulary.among(splits.flat().map((term) => [term, FORMS]));
  let best: Instead | undefined;
  for (const terms of splits) {
    const frequency = Math.min(...terms.map((term) => found.get(term) ?? 0));
    if (frequency > (best?.frequency ?? 0)) best = { frequency, matches: [match("split", ...terms)] };
  }
  return best;
}

function prefixesOf(word: string, vocabulary: Vocabulary): Instead | undefined {
  if ([...word].length < SHORTEST_PREFIX) return undefined;
  const begun = vocabulary.beginningWith(word);
  return mostFrequent(
    begun.size > 0 ? begun : vocabulary.among(completionsOf(word)),
    "prefix",
    MOST_PREFIXES,
  );
}

function typosOf(word: string, vocabulary: Vocabulary): Instead | undefined {
  for (const terms of correctionsOf(word)) {
    const found = vocabulary.among(terms);
    const least = Math.max(0, ...found.values()) / MUCH_RARER;
    for (const [term, frequency] of found) if (frequency < least) found.delete(term);
    if (found.size > 0) return mostFrequent(found, "typo", MOST_TYPOS);
  }
  return undefined;
}

function mostFrequent(
  found: ReadonlyMap<string, number>,
  how: Match["how"],
  most: number,
): Instead | undefined {
  const sorted = [...found].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, most);
  const [first] = sorted;
  return first && { frequency: first[1], matches: sorted.map(([term]) => match(how, term)) };
}
