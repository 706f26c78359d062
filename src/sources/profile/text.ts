import { normalized } from "../../base/text.ts";

/** Texts are shown and compared as a person reads them, not as they were typed. */

/**
 * Characters that are invisible or change the direction of text: a user would approve an instruction hidden with them
 * without seeing it. Joiners, which some scripts need, are handled below.
 */
const HIDDEN = new RegExp(
  [
    "[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]", // control characters, escape sequences among them
    "[\\u00ad\\u115f\\u1160\\u200b\\u2060-\\u206f\\u2800\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb]", // blanks and fillers
    "[\\u061c\\u200e\\u200f\\u202a-\\u202e]", // direction
    "[\\u034f\\u17b4\\u17b5\\u180b-\\u180f\\ufe00-\\ufe0e]", // invisible marks; fe0f stays, because emoji need it
    "[\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]", // tags: an invisible second alphabet
  ].join("|"),
  "gu",
);

/**
 * Joiners belong between letters of some scripts and in emoji; next to ASCII characters they only hide something. A
 * single expression for every run, because an alternative would read a long run again from each of its characters.
 */
const JOINERS = /[\u200c\u200d]+/gu;

function withoutJoiners(text: string): string {
  const isAscii = (unit: number) => Number.isNaN(unit) || unit <= 0x7f;
  return text.replace(JOINERS, (run, at: number) =>
    isAscii(text.charCodeAt(at - 1)) || isAscii(text.charCodeAt(at + run.length)) ? "" : run,
  );
}

/** Most texts have no such characters and need no further check. */
const PLAIN = /^[\x20-\x7e]*$/;

/** The text as a user sees it, on one line, without invisible characters. */
export function visible(text: string): string {
  if (PLAIN.test(text)) return text.replace(/ {2,}/g, " ").trim();
  return withoutJoiners(text.toWellFormed().replace(/\s+/gu, " ").replace(HIDDEN, ""))
    .replace(/\s+/gu, " ")
    .trim();
}

/**
 * The form in which values are compared: ignores case, punctuation, white space, character width and invisible
 * characters. Keeps `+` and `#` after a letter, because C, C++ and C# differ.
 */
export function normalise(text: string): string {
  const shown = visible(normalized(text, "NFKC").toLowerCase()).replace(/[\u200c\u200d]/g, "");
  const words = shown
    .replace(/['’`]/g, "")
    .replace(/(?<![\p{L}\p{N}+#])[+#]+/gu, " ")
    .replace(/[^\p{L}\p{N}\p{M}+#]+/gu, " ")
    .trim();
  return words === "" ? shown : words;
}

const COMMON = new Set(
  "the and for with that this from you your are was not but can use uses using all any has have had its into when then than them they out our who how what why will would should could about please make let".split(
    " ",
  ),
);

/** The words that say what a text is about. In scripts without spaces, each character counts as a word. */
export function keyWords(text: string): Set<string> {
  const found = PLAIN.test(text)
    ? text.toLowerCase().matchAll(/[a-z0-9+#]+/g) // compiling a pattern for all scripts takes milliseconds
    : normalized(text, "NFKC")
        .toLowerCase()
        .matchAll(
          /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}])[\p{L}\p{N}\p{M}+#])+/gu,
        );
  const words = new Set<string>();
  for (const [word] of found)
    if (!COMMON.has(word) && (word.length > 2 || /[^a-z]/.test(word))) words.add(word);
  return words;
}

/**
 * How many of the words occur in a lower-case text at the beginning of a word. Fast, because it is called for every
 * learning.
 */
export function overlap(words: ReadonlySet<string>, lower: string): number {
  let count = 0;
  for (const word of words) if (holds(lower, word)) count++;
  return count;
}

function holds(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (at === 0 || !isLatin(text.charCodeAt(at - 1))) return true;
  }
  return false;
}

function isLatin(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39);
}
