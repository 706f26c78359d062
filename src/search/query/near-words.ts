import { isParticle, isVerb, joined } from "../compounds.ts";
import { wordOf } from "../words.ts";
import type { QueryWord } from "./parse.ts";

/**
 * Stems of words that developers use, that the table of meaning does not have as one piece, and that are one edit away
 * from a common word: "login" is not a typo of "logic".
 */
const DEVELOPERS: ReadonlySet<string> = new Set(
  `append async compaction config const constructor decode delete diff discard embed encode facet helper indent
  initialize iterate linter lint loader locale logger login logout middleware mutex normalise normalize notify param parse
  parser payload posix preact readme rebase redact refactor regex rewind rewrite rewritten schema sharded simplify stash
  stderr stdin stdout struct subagent summarise summarize todo tuple uncommitted unref watcher webhook wrapper`
    .split(/\s+/)
    .map((word) => wordOf(word).term),
);

/**
 * Whether a word exists in any form: "cloned" and "cloning" do if `isWord` knows "clone". Porter's stem may lack an "e"
 * or have an "i" for a "y".
 */
export function isKnownWord(word: string, isWord: (word: string) => boolean): boolean {
  const { term } = wordOf(word);
  const bases = [word, term, `${term}e`, ...(term.endsWith("i") ? [`${term.slice(0, -1)}y`] : [])];
  return DEVELOPERS.has(term) || bases.some(isWord);
}

/** Shorter prefixes match too many words. */
export const SHORTEST_PREFIX = 4;
/** Endings that stemming removes: the term of "deployment" is "deploy", which does not begin with "deploym". */
const ENDINGS =
  "able ables ance ances ation ations ed ence ences ers ible ing ings ional ions ities ity ive ization ize ized ments ness".split(
    " ",
  );

/**
 * Terms of words that begin with these letters, if the letters reach into the ending, with the classes of their forms.
 */
export function completionsOf(prefix: string): Map<string, number> {
  const terms = new Map<string, number>();
  for (const ending of ENDINGS) {
    for (let typed = 1; typed < ending.length; typed++) {
      if (!prefix.endsWith(ending.slice(0, typed))) continue;
      const { term, form } = wordOf(prefix + ending.slice(typed));
      if (term.length >= SHORTEST_PREFIX && !term.startsWith(prefix))
        terms.set(term, (terms.get(term) ?? 0) | form);
    }
  }
  return terms;
}

/** A shorter word is one edit away from too many others. */
const SHORTEST = 5;
const LATIN = "abcdefghijklmnopqrstuvwxyz";
const ALPHABETS: readonly (readonly [RegExp, string])[] = [
  [/^[a-z]+$/, LATIN],
  [/^\p{Script=Latin}+$/u, `${LATIN}ßæøœđłıþð`],
  [/^\p{Script=Cyrillic}+$/u, "абвгдежзиклмнопрстуфхцчшщъыьэюяіїєґ"],
  [/^\p{Script=Greek}+$/u, "αβγδεζηθικλμνξοπρστυφχψως"],
];

/** Most people type the first letters correctly, and all words that share them are on few pages of the index. */
const SURE = 2;

/**
 * The terms of all words within one edit of a word (a letter inserted, removed or replaced, or two neighbours swapped),
 * with the classes of their forms, grouped in the order in which to try them. Comparing with the index's terms would
 * not work, because the stem of a typo may be more than one edit away from the right stem. None for words with digits:
 * an id is not misspelt, it is another id.
 */
export function correctionsOf(word: string): readonly ReadonlyMap<string, number>[] {
  const letters = [...word];
  const alphabet = ALPHABETS.find(([script]) => script.test(word))?.[1];
  if (alphabet === undefined || letters.length < SHORTEST) return [];
  return [edits(word, letters, SURE, letters.length, alphabet), edits(word, letters, 0, SURE - 1, alphabet)];
}

/**
 * Edits at the positions `from` to `to`. The first letter is only swapped or removed, because people hardly ever
 * replace it.
 */
function edits(
  word: string,
  letters: readonly string[],
  from: number,
  to: number,
  alphabet: string,
): Map<string, number> {
  const terms = new Map<string, number>();
  const add = (at: number, removed: number, inserted: string): void => {
    const { term, form, isStop } = wordOf(letters.toSpliced(at, removed, inserted).join(""));
    // A term that begins with the word is found as a completion.
    if (!isStop && !term.startsWith(word)) terms.set(term, (terms.get(term) ?? 0) | form);
  };
  for (let at = from; at <= to; at++) {
    const isLetter = at < letters.length;
    if (at + 1 < letters.length) add(at, 2, `${letters[at + 1]}${letters[at]}`);
    if (isLetter) add(at, 1, "");
    for (const other of at === 0 ? "" : alphabet) {
      add(at, 0, other);
      if (isLetter) add(at, 1, other);
    }
  }
  return terms;
}

/** One word for several words of the query: those at the positions `from` to `to`, exclusive. */
interface Compound {
  readonly term: string;
  readonly form: number;
  readonly from: number;
  readonly to: number;
}

/** Limited, because each is looked up in the index. */
const MOST_COMPOUNDS = 32;
const SHORTEST_PART = 2;

/**
 * The compounds that a query may mean: names typed in one piece (`roll-back`), verb and particle ("rolled back"), and,
 * if `anyPair`, any two neighbours ("data base").
 */
export function compoundsIn(words: readonly QueryWord[], anyPair: boolean): Compound[] {
  const compounds = words
    .filter(({ joins, isStop }) => joins > 1 && !isStop)
    .map(({ term, form, position, joins }) => ({ term, form, from: position, to: position + joins }));
  const plain = words.filter(({ joins }) => joins === 1);
  for (const [at, first] of plain.entries()) {
    const second = plain[at + 1];
    // Pairs of characters (scripts without spaces) have no form.
    if (second === undefined || first.isStop || first.form === 0) continue;
    for (const written of new Set(pairsOf(first, second, anyPair))) {
      const { term, form } = wordOf(written);
      compounds.push({ term, form, from: first.position, to: first.position + 2 });
    }
  }
  return compounds.slice(0, MOST_COMPOUNDS);
}

/** ASCII first: the Unicode expression takes a millisecond to compile, in every search. */
const isOfLetters = (word: string): boolean => /^[a-z]+$/.test(word) || /^\p{L}+$/u.test(word);

function pairsOf(first: QueryWord, second: QueryWord, anyPair: boolean): string[] {
  const compound =
    isVerb(first.term) && isParticle(second.word) ? joined(first.term, second.word) : undefined;
  const isPair =
    anyPair &&
    !second.isStop &&
    [first, second].every(({ word }) => word.length >= SHORTEST_PART && isOfLetters(word));
  return [...(compound === undefined ? [] : [compound]), ...(isPair ? [first.word + second.word] : [])];
}
