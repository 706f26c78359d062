import { stem } from "./stem.ts";
import { STOP_WORDS } from "./stop-words.ts";

/**
 * Letters and digits, joined by the signs that join the parts of a name; or a number with points (`1.2.3`). A slash
 * and a point part words: of a path every folder is found, and so is the whole path, by all of them.
 */
const RUNS = /v?\d+(?:\.\d+)+|[\p{L}\p{N}\p{M}]+(?:[_-]+[\p{L}\p{N}\p{M}]+)*/uy;
/** Where one name has several words in it: at a sign, at a hump (`userName`), after capitals (`HTTPServer`). */
const SEAMS = /[_-]+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
/** Scripts written without spaces: two neighbouring characters are the smallest thing worth looking up. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const UNSPACED_RUNS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{M}]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+/gu;
/** Longer ones are keys, hashes and encoded data: their beginning is enough to find them by. */
const LONGEST = 40;
/** A name of more parts is a sentence in disguise (a slug): found by its parts alone. */
const MOST_PARTS = 4;

/**
 * Calls `see` with every term of a text, in order, and where the word that it comes from begins. Most words are ASCII
 * letters between signs that join nothing: the expression, which takes several times as long, sees only the others.
 */
export function eachTerm(text: string, see: (term: string, at: number) => void): void {
  for (let at = 0; at < text.length; ) {
    let end = at;
    while (isAsciiLetter(text.charCodeAt(end))) end++;
    if (end === at && !mayJoin(text.charCodeAt(at))) {
      at++;
      continue;
    }
    let run: string | undefined = text.slice(at, end);
    if (mayJoin(text.charCodeAt(end))) {
      RUNS.lastIndex = at;
      run = RUNS.exec(text)?.[0];
    }
    if (run === undefined) {
      at++;
      continue;
    }
    if (isPlain(run)) add(run, at, see);
    else splitRun(run, at, see);
    at += run.length;
  }
}

const isSmall = (code: number): boolean => (code > 96 && code < 123) || (code > 47 && code < 58);
const isCapital = (code: number): boolean => code > 64 && code < 91;
/** Or a digit. Beyond the text's end the code is NaN, which is nothing. */
const isAsciiLetter = (code: number): boolean => isSmall(code) || isCapital(code);
/** `-`, `.`, `_`, and all that is not ASCII. */
const mayJoin = (code: number): boolean => code > 127 || code === 45 || code === 46 || code === 95;

export function termsOf(text: string): string[] {
  const terms: string[] = [];
  eachTerm(text, (term) => terms.push(term));
  return terms;
}

/** Lower-case ASCII letters and digits, perhaps capitalised: no name, no accent, the case of most words. */
function isPlain(run: string): boolean {
  for (let at = 0; at < run.length; at++) {
    const code = run.charCodeAt(at);
    if (!isSmall(code) && !(at === 0 && isCapital(code))) return false;
  }
  return true;
}

function splitRun(run: string, at: number, see: (term: string, at: number) => void): void {
  if (/^v?\d[\d.]*$/.test(run)) {
    see(run.replace("v", "").slice(0, LONGEST), at);
    return;
  }
  if (UNSPACED.test(run)) {
    for (const [part] of run.matchAll(UNSPACED_RUNS)) {
      if (UNSPACED.test(part)) pairs(part, at, see);
      else add(part, at, see);
    }
    return;
  }
  const parts = run.split(SEAMS).filter((part) => part !== "");
  for (const part of parts) add(part, at, see);
  // Written together, so that `getUserName`, `get_user_name` and `get-user-name` are one and the same name.
  if (parts.length > 1 && parts.length <= MOST_PARTS) add(parts.join(""), at, see);
}

function pairs(part: string, at: number, see: (term: string, at: number) => void): void {
  const letters = [...part.normalize("NFKC")];
  if (letters.length === 1) see(part, at);
  for (let i = 0; i + 1 < letters.length; i++) see(`${letters[i]}${letters[i + 1]}`, at);
}

function add(word: string, at: number, see: (term: string, at: number) => void): void {
  const term = termOf(word);
  if (term !== "") see(term, at);
}

const known = new Map<string, string>();

/** The term that a word is looked up by; "" for a stop word. Remembered: texts repeat their words. */
function termOf(word: string): string {
  const before = known.get(word);
  if (before !== undefined) return before;
  const plain = fold(word).slice(0, LONGEST);
  const term = STOP_WORDS.has(plain) ? "" : stem(plain);
  if (known.size > 200_000) known.clear();
  known.set(word, term);
  return term;
}

/** Without case, accents and width: what people mean to be the same word. */
function fold(word: string): string {
  return /^[\x00-\x7f]*$/.test(word)
    ? word.toLowerCase()
    : word.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().normalize("NFC");
}
