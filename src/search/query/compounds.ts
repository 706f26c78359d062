import { isParticle, isVerb, joined } from "../compounds.ts";
import { wordOf } from "../words.ts";
import type { QueryWord } from "./parse.ts";

/** A word that stands for several words of the query: those at the positions `from` to `to`, exclusive. */
interface Compound {
  readonly term: string;
  readonly form: number;
  readonly from: number;
  readonly to: number;
}

/** Each is looked up in the index. */
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
    // Pairs of characters have no form.
    if (second === undefined || first.isStop || first.form === 0) continue;
    for (const written of new Set(pairsOf(first, second, anyPair))) {
      const { term, form } = wordOf(written);
      compounds.push({ term, form, from: first.position, to: first.position + 2 });
    }
  }
  return compounds.slice(0, MOST_COMPOUNDS);
}

/** ASCII first: the expression for all of Unicode takes a millisecond to compile, in every search. */
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
