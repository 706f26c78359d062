import { normalized } from "../../../base/text.ts";

/**
 * How many characters are searched for all keywords together: with 500 keywords, the first 100,000 characters of a
 * prompt.
 */
const MAX_SEARCHED = 50_000_000;

/**
 * Finds the keywords in a prompt. Ignores case and the amount of white space between words. A keyword must begin where
 * a word begins, but may be just its beginning (`test` is in "testing", not in "contest"). Keywords are not regular
 * expressions: no character is special.
 */
export function keywordMatcher(words: readonly string[]): (prompt: string) => string[] {
  const folded = words.map(foldKeyword);
  return (prompt) => {
    const found = new Set(foldedIn(prompt, folded));
    return words.filter((_, i) => found.has(folded[i] ?? ""));
  };
}

/** The same for keywords that are already folded, because folding thousands of them takes long. */
export function foldedIn(prompt: string, folded: readonly string[]): string[] {
  const text = fold(prompt.slice(0, Math.floor(MAX_SEARCHED / Math.max(1, folded.length))));
  return folded.filter((word) => occurs(text, word));
}

/** The form in which keywords are compared. */
export function foldKeyword(word: string): string {
  return fold(word).trim();
}

/** Greek has a second form of sigma at the end of a word. */
function fold(text: string): string {
  return normalized(text, "NFC").toLowerCase().replaceAll("ς", "σ").replace(/\s+/gu, " ");
}

function occurs(text: string, word: string): boolean {
  if (word === "") return false;
  for (const at of occurrences(text, word)) if (beginsAt(text, word, at)) return true;
  return false;
}

/** The Unicode classes are compiled only when needed, because compiling takes time and most prompts do without them. */
const startsWord = (text: string) => /^\w/.test(text) || /^[\p{L}\p{N}\p{M}_]/u.test(text);
const endsWord = (text: string) => /\w$/.test(text) || /[\p{L}\p{N}\p{M}_]$/u.test(text);

/** Scripts without spaces between words: a word may begin after any character. */
const UNSPACED =
  "\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}";
let unspaced: RegExp | undefined;
const isUnspaced = (letter: string | undefined) => {
  unspaced ??= new RegExp(`^[${UNSPACED}]`, "u");
  return letter !== undefined && unspaced.test(letter);
};

/** Characters that join words: `/plan` is not in "docs/plan", `@x` not in "me@x.org", `-f` not in "built-for". */
const JOINING = "/@-";

function beginsAt(text: string, word: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 2), at); // two units, because a letter may be a surrogate pair
  const afterWord = endsWord(before);
  if (startsWord(word)) return !afterWord || isUnspaced([...before].at(-1)) || isUnspaced(word);
  const first = word.slice(0, 1);
  // A repeated first character changes the meaning: `.env` is not in "..env", `/plan` not in "//plan".
  return !before.endsWith(first) && !(afterWord && JOINING.includes(first));
}

/** Up to this length `indexOf` is always fast enough: it compares at most this many characters at each position. */
const SHORT = 32;

/**
 * The positions of a word in a text, in linear time. `indexOf` is fast on ordinary texts, but quadratic for a long word
 * of equal letters in a long text of the same letter.
 */
function* occurrences(text: string, word: string): Generator<number> {
  if (word.length <= SHORT) {
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) yield at;
    return;
  }
  // Knuth-Morris-Pratt: how much of the word still matches when the next character differs.
  const fallback = new Int32Array(word.length);
  for (let i = 1, matched = 0; i < word.length; i++) {
    while (matched > 0 && word[i] !== word[matched]) matched = fallback[matched - 1] ?? 0;
    if (word[i] === word[matched]) matched++;
    fallback[i] = matched;
  }
  for (let i = 0, matched = 0; i < text.length; i++) {
    while (matched > 0 && text[i] !== word[matched]) matched = fallback[matched - 1] ?? 0;
    if (text[i] === word[matched]) matched++;
    if (matched < word.length) continue;
    yield i - word.length + 1;
    matched = fallback[matched - 1] ?? 0;
  }
}

export function containsText(text: string, word: string): boolean {
  return word.length <= SHORT ? text.includes(word) : occurrences(text, word).next().done !== true;
}
