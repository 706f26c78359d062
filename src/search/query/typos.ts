import { wordOf } from "../words.ts";

/** A shorter word is one edit away from too many others. */
const SHORTEST = 5;
const LATIN = "abcdefghijklmnopqrstuvwxyz";
const ALPHABETS: readonly (readonly [RegExp, string])[] = [
  [/^[a-z]+$/, LATIN],
  [/^\p{Script=Latin}+$/u, `${LATIN}ßæøœđłıþð`],
  [/^\p{Script=Cyrillic}+$/u, "абвгдежзиклмнопрстуфхцчшщъыьэюяіїєґ"],
  [/^\p{Script=Greek}+$/u, "αβγδεζηθικλμνξοπρστυφχψως"],
];

/** Most people type the first letters right, and all words that share them are on few pages of the index. */
const SURE = 2;

/**
 * The terms of all words within one edit of a word (a letter inserted, removed or replaced, or two neighbours swapped),
 * with the classes of their forms, in groups to be tried in order. Comparing with the terms of the index would not do: the stem of a typing error is not one
 * edit from the word's stem. None for words with digits: an id is not misspelt, it is another id.
 */
export function correctionsOf(word: string): readonly ReadonlyMap<string, number>[] {
  const letters = [...word];
  const alphabet = ALPHABETS.find(([script]) => script.test(word))?.[1];
  if (alphabet === undefined || letters.length < SHORTEST) return [];
  return [edits(word, letters, SURE, letters.length, alphabet), edits(word, letters, 0, SURE - 1, alphabet)];
}

/** Edits at the places `from` to `to`. The very first letter is only swapped or removed: it is hardly ever another one. */
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
    // A term that begins with the word is found by its beginning.
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
