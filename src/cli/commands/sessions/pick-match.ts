import { normalized } from "../../../base/text.ts";

// Fuzzy search in a few thousand sessions while the user types: plain comparisons, no index.

/** The searched texts of one session, folded. */
export interface Searchable {
  readonly name: string;
  readonly project: string;
  readonly agent: string;
  /** The first requests; empty until they are read. */
  readonly prompts: string;
}

/** The positions of a word's characters in a text, and how well they fit, from 0 to 1. */
export interface Fit {
  readonly fit: number;
  readonly at: readonly number[];
}

/**
 * In lower case and without accents, keeping the number of characters, so that positions are valid for the original
 * too.
 */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text.replace(/./gs, (one) => {
    const plain = (ACCENTED.test(one) ? (normalized(one, "NFD")[0] ?? one) : one).toLowerCase();
    return plain.length === 1 ? plain : one;
  });
}

const ASCII = /^[\x00-\x7f]*$/;
const ACCENTED = /[\u00c0-\u024f\u0370-\u03ff\u1e00-\u1fff]/;

/** The typed words. All must be found, in any order. */
export function wordsOf(query: string): string[] {
  return fold(normalized(query, "NFC"))
    .split(/\s+/)
    .filter((word) => word !== "");
}

/** Higher is better; 0 if a word is not found. */
export function scoreOf(words: readonly string[], one: Searchable): number {
  let sum = 0;
  for (const word of words) {
    const score = Math.max(
      100 * (fitOf(word, one.name)?.fit ?? 0),
      80 * (fitOf(word, one.project)?.fit ?? 0),
      70 * (fitOf(word, one.agent)?.fit ?? 0),
    );
    // Requests are long, so a weak match there means little; they are compared only if the short texts do not match.
    const best = score >= 50 ? score : Math.max(score, 45 * fitInWords(word, one.prompts));
    if (best === 0) return 0;
    sum += best;
  }
  return sum;
}

/** The positions in a folded text that the words match, for highlighting. */
export function matchesIn(words: readonly string[], text: string): ReadonlySet<number> {
  return new Set(words.flatMap((word) => fitOf(word, text)?.at ?? []));
}

const SUBSTRING = 0.7;
const WORD_START = 0.2;
const TEXT_START = 0.1;
/** The fit of characters with gaps between them; less if the gaps are wide. */
const SCATTERED = 0.45;

/**
 * As a part of the text, best at the beginning of a word; otherwise its characters in order, each in the same word as
 * the previous one or at the beginning of a later word: `crnd` and `fcr` find "Fix cart rounding", `xyz` finds nothing
 * by coincidence.
 */
export function fitOf(word: string, text: string): Fit | undefined {
  const found = substringIn(word, text);
  if (found >= 0) {
    const fit = SUBSTRING + (startsWord(text, found) ? WORD_START : 0) + (found === 0 ? TEXT_START : 0);
    return { fit, at: Array.from(word, (_, i) => found + i) };
  }
  if (word.length < 2 || !isSubsequence(word, text)) return undefined;
  const at = scattered(word, text, 0, -1, new Set());
  if (at === undefined) return undefined;
  const span = (at.at(-1) ?? 0) - (at[0] ?? 0) + 1;
  return { fit: SCATTERED * (0.5 + (0.5 * word.length) / span), at };
}

/** The first position at the beginning of a word, else the first one. */
function substringIn(word: string, text: string): number {
  const first = text.indexOf(word);
  for (let at = first; at >= 0; at = text.indexOf(word, at + 1)) if (startsWord(text, at)) return at;
  return first;
}

function startsWord(text: string, at: number): boolean {
  return at === 0 || (!isWordCharacter(text.charCodeAt(at - 1)) && isWordCharacter(text.charCodeAt(at)));
}

function isWordCharacter(code: number): boolean {
  return code > 0x7f || (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);
}

function isSubsequence(word: string, text: string): boolean {
  let at = -1;
  for (let i = 0; i < word.length; i++) {
    at = text.indexOf(word.charAt(i), at + 1);
    if (at < 0) return false;
  }
  return true;
}

/**
 * `failed`: what was already tried. Without it, a text of one repeated character would be tried in every possible way.
 */
function scattered(
  word: string,
  text: string,
  index: number,
  before: number,
  failed: Set<number>,
): number[] | undefined {
  if (index === word.length) return [];
  const state = index * (text.length + 1) + before + 1;
  if (failed.has(state)) return undefined;
  const wanted = word.charAt(index);
  for (let at = before + 1, isSameWord = before >= 0; at < text.length; at++) {
    if (isSameWord && !isWordCharacter(text.charCodeAt(at))) isSameWord = false;
    if (text.charAt(at) !== wanted || !(isSameWord || startsWord(text, at))) continue;
    const rest = scattered(word, text, index + 1, at, failed);
    if (rest !== undefined) return [at, ...rest];
    // Later in the same word nothing can be found that the first position would not have led to, except the next words.
    isSameWord = false;
  }
  failed.add(state);
  return undefined;
}

/** In a long text: a part of it, or the characters in order inside one word. */
function fitInWords(word: string, text: string): number {
  const found = substringIn(word, text);
  if (found >= 0) return startsWord(text, found) ? 1 : SUBSTRING;
  if (word.length < 3) return 0;
  for (let at = text.indexOf(word.charAt(0)); at >= 0; at = text.indexOf(word.charAt(0), at + 1))
    if (startsWord(text, at) && isInWordAt(word, text, at)) return SCATTERED;
  return 0;
}

function isInWordAt(word: string, text: string, start: number): boolean {
  let index = 0;
  for (let at = start; at < text.length && isWordCharacter(text.charCodeAt(at)); at++)
    if (text.charAt(at) === word.charAt(index) && ++index === word.length) return true;
  return false;
}
