/**
 * Porter's stemmer for English (M. F. Porter, "An algorithm for suffix stripping", 1980): "indexes", "indexed" and
 * "indexing" become one term. Our own, because SQLite's stemmer is not available outside FTS5.
 */
export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  return step5(step4(step3(step2(step1c(step1b(step1a(word)))))));
}

const VOWEL = "aeiou";

/** Whether the letter at `at` is a consonant: `y` is one at the beginning and after a vowel. */
function isConsonant(word: string, at: number): boolean {
  const letter = word[at] ?? "";
  if (VOWEL.includes(letter)) return false;
  return letter !== "y" || at === 0 || !isConsonant(word, at - 1);
}

/** How many times vowels are followed by consonants: Porter's m. */
function measure(word: string): number {
  let count = 0;
  let afterVowel = false;
  for (let at = 0; at < word.length; at++) {
    const consonant = isConsonant(word, at);
    if (consonant && afterVowel) count++;
    afterVowel = !consonant;
  }
  return count;
}

function hasVowel(word: string): boolean {
  for (let at = 0; at < word.length; at++) if (!isConsonant(word, at)) return true;
  return false;
}

function endsDouble(word: string): boolean {
  const last = word.length - 1;
  return last > 0 && word[last] === word[last - 1] && isConsonant(word, last);
}

/** Consonant, vowel, consonant other than w, x and y: "hop", where an `e` belongs ("hope"). */
function endsShort(word: string): boolean {
  const last = word.length - 1;
  return (
    last >= 2 &&
    isConsonant(word, last) &&
    !isConsonant(word, last - 1) &&
    isConsonant(word, last - 2) &&
    !"wxy".includes(word[last] ?? "")
  );
}

function step1a(word: string): string {
  if (word.endsWith("sses") || word.endsWith("ies")) return word.slice(0, -2);
  return word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
}

function step1b(word: string): string {
  if (word.endsWith("eed")) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const ending = word.endsWith("ed") ? 2 : word.endsWith("ing") ? 3 : 0;
  const base = word.slice(0, word.length - ending);
  if (ending === 0 || !hasVowel(base)) return word;
  if (/(?:at|bl|iz)$/.test(base)) return `${base}e`;
  if (endsDouble(base) && !/[lsz]$/.test(base)) return base.slice(0, -1);
  return measure(base) === 1 && endsShort(base) ? `${base}e` : base;
}

function step1c(word: string): string {
  return word.endsWith("y") && hasVowel(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word;
}

type Endings = readonly (readonly [string, string])[];

const STEP_2: Endings = [
  ["ational", "ate"],
  ["ization", "ize"],
  ["iveness", "ive"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["tional", "tion"],
  ["biliti", "ble"],
  ["entli", "ent"],
  ["ousli", "ous"],
  ["ation", "ate"],
  ["alism", "al"],
  ["aliti", "al"],
  ["iviti", "ive"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["izer", "ize"],
  ["abli", "able"],
  ["alli", "al"],
  ["ator", "ate"],
  ["eli", "e"],
];
const STEP_3: Endings = [
  ["icate", "ic"],
  ["ative", ""],
  ["alize", "al"],
  ["iciti", "ic"],
  ["ical", "ic"],
  ["ness", ""],
  ["ful", ""],
];

function replaced(word: string, endings: Endings): string {
  const found = endings.find(([ending]) => word.endsWith(ending));
  if (found === undefined) return word;
  const base = word.slice(0, -found[0].length);
  return measure(base) > 0 ? base + found[1] : word;
}

const step2 = (word: string): string => replaced(word, STEP_2);
const step3 = (word: string): string => replaced(word, STEP_3);

const STEP_4 = /(?:ement|ance|ence|able|ible|ment|ant|ent|ism|ate|iti|ous|ive|ize|(?<=[st])ion|al|er|ic|ou)$/;

function step4(word: string): string {
  const ending = STEP_4.exec(word)?.[0];
  if (ending === undefined) return word;
  const base = word.slice(0, -ending.length);
  return measure(base) > 1 ? base : word;
}

function step5(word: string): string {
  let result = word;
  if (result.endsWith("e")) {
    const base = result.slice(0, -1);
    const size = measure(base);
    if (size > 1 || (size === 1 && !endsShort(base))) result = base;
  }
  return result.endsWith("ll") && measure(result) > 1 ? result.slice(0, -1) : result;
}
