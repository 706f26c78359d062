import { normalized } from "../../base/normalized.ts";

/** How a text is compared with another: by what a person reads, not by how it was typed. */

/**
 * Characters that show nothing, or turn what is shown around: an order hidden with them would be approved unseen. Kept
 * apart from those that scripts are written with, below.
 */
const HIDDEN = new RegExp(
  [
    "[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]", // control characters, escape sequences among them
    "[\\u00ad\\u115f\\u1160\\u200b\\u2060-\\u206f\\u2800\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb]", // blanks and fillers
    "[\\u061c\\u200e\\u200f\\u202a-\\u202e]", // direction
    "[\\u034f\\u17b4\\u17b5\\u180b-\\u180f\\ufe00-\\ufe0e]", // marks that show nothing; fe0f makes an emoji one
    "[\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]", // tags: a second alphabet that nobody sees
  ].join("|"),
  "gu",
);

/** Joiners belong between letters of some scripts and in emoji; between ASCII characters they only hide. */
const JOINERS = /(?<=[\u0000-\u007f]|^)[\u200c\u200d]+|[\u200c\u200d]+(?=[\u0000-\u007f]|$)/gu;

/** Most texts have nothing of it and need no second look. */
const PLAIN = /^[\x20-\x7e]*$/;

/** What a person is shown, on one line: all of it can be seen. */
export function visible(text: string): string {
  if (PLAIN.test(text)) return text.replace(/ {2,}/g, " ").trim();
  return text
    .toWellFormed()
    .replace(/\s+/gu, " ")
    .replace(HIDDEN, "")
    .replace(JOINERS, "")
    .replace(/\s+/gu, " ")
    .trim();
}

/**
 * Two values that differ only in case, punctuation, white space, width of characters or in what cannot be seen are the
 * same. `+` and `#` after a letter stay, since C, C++ and C# are three things.
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

/** The words that say what a text is about. Scripts without spaces give their characters. */
export function keyWords(text: string): Set<string> {
  const found = PLAIN.test(text)
    ? text.toLowerCase().matchAll(/[a-z0-9+#]+/g) // a pattern that knows all scripts takes milliseconds to compile
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

/** How many of the words a text in lower case holds, each at the beginning of a word. Quick: asked of every learning. */
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
