/**
 * Estimates how many tokens a text costs, without loading a tokenizer (which takes a hook 300 ms or more).
 *
 * The scan cuts text where o200k's splitting pattern would (a word takes the one space or sign before it,
 * camelCase splits at the hump, digits go in threes, a punctuation run takes the newlines after it), because
 * most pieces are exactly one token. The other counts say how far pieces tend to break up further.
 *
 * Every weight is >= 0 and nothing is remembered across a newline, so joining texts by newlines never costs
 * less than one part alone, nor more than the sum of the parts and the newline.
 */

/** What is counted, each with its own weight. */
export class TokenFeatures {
  /** Pieces of the split pattern. */
  piece = 0;
  /** Letters past the 8th in a word after a space, past the 5th in any other word. */
  spacedTail = 0;
  bareTail = 0;
  /** Words of three letters that no space precedes. */
  bareThree = 0;
  /** Letters past the 2nd in words written in capitals, and in runs that hold digits (hashes, ids). */
  capitalTail = 0;
  digitTail = 0;
  /** Words that take along a sign which only sometimes, or seldom, shares a token with a word. */
  looseSign = 0;
  aloneSign = 0;
  /** Letters past the 3rd in Latin words with diacritics and in Cyrillic or Greek words. */
  markedTail = 0;
  cyrillicTail = 0;
  /** Letters of alphabets with few tokens of their own (Polish, Czech, Ukrainian, ...). */
  rareLetter = 0;
  /** Characters of Han and kana, of Hangul, of any other script. */
  cjk = 0;
  hangul = 0;
  otherScript = 0;
  /** Changes of character past the 2nd in an ASCII punctuation run; signs outside ASCII; surrogates. */
  punctuation = 0;
  wideSign = 0;
  surrogate = 0;
}

/** Fitted by bench/tokens/fit.ts. */
export const TOKEN_WEIGHTS: Readonly<TokenFeatures> = {
  piece: 0.996,
  spacedTail: 0.291,
  bareTail: 0.153,
  bareThree: 0.319,
  capitalTail: 0.195,
  digitTail: 0.937,
  looseSign: 0.469,
  aloneSign: 0.736,
  markedTail: 0.277,
  cyrillicTail: 0.208,
  rareLetter: 0.4,
  cjk: 0.636,
  hangul: 0.431,
  otherScript: 0.132,
  punctuation: 0.243,
  wideSign: 0.371,
  surrogate: 0.542,
};
const NAMES = Object.keys(TOKEN_WEIGHTS) as (keyof TokenFeatures)[];

// Kinds of character; letters come first so that one comparison finds them. 0 is the end of the text.
const LOWER = 1;
const UPPER = 2;
const MARKED = 3;
const CYRILLIC = 4;
const CJK = 5;
const HANGUL = 6;
const OTHER = 7;
const DIGIT = 8;
const SPACE = 9;
const NEWLINE = 10;
const SIGN = 11;
const WIDE = 12;
const SURROGATE = 13;

/** Where each kind starts among the UTF-16 units; it goes on to the next entry. */
const STARTS: [number, number][] = [
  [0, SIGN],
  [9, SPACE],
  [10, NEWLINE],
  [11, SIGN],
  [13, NEWLINE],
  [14, SIGN],
  [32, SPACE],
  [33, SIGN],
  [48, DIGIT],
  [58, SIGN],
  [65, UPPER],
  [91, SIGN],
  [97, LOWER],
  [123, SIGN],
  [128, WIDE],
  [0xa0, SPACE],
  [0xa1, WIDE],
  [0xc0, MARKED],
  [0x370, CYRILLIC],
  [0x530, OTHER],
  [0x1e00, MARKED],
  [0x1f00, OTHER],
  [0x2000, WIDE],
  [0x2e80, CJK],
  [0x3000, WIDE],
  [0x3040, CJK],
  [0xa000, OTHER],
  [0xac00, HANGUL],
  [0xd800, SURROGATE],
  [0xe000, WIDE],
  [0xf900, CJK],
  [0xfb00, OTHER],
  [0xfe00, WIDE],
  [0xff9f, OTHER],
];
const KIND = new Uint8Array(0x10000);
for (const [i, [from, kind]] of STARTS.entries()) KIND.fill(kind, from, STARTS[i + 1]?.[0]);

function kindAt(text: string, at: number): number {
  return at >= 0 && at < text.length ? (KIND[text.charCodeAt(at)] ?? 0) : 0;
}

const isLetter = (kind: number): boolean => kind >= LOWER && kind <= OTHER;
const isSpace = (kind: number): boolean => kind === SPACE || kind === NEWLINE;
const isSign = (kind: number): boolean => kind >= SIGN;
/** Latin Extended, and Cyrillic letters that Russian does not have. */
const isRare = (c: number): boolean => (c >= 0x100 && c < 0x250) || (c >= 0x452 && c < 0x530);
const past = (length: number, limit: number): number => (length > limit ? length - limit : 0);

/** Signs that often share a token with the word after them, and signs that sometimes do. */
const TIGHT_SIGNS = "._\\";
const LOOSE_SIGNS = "-/('<=&%])";

/** The counts that TOKEN_WEIGHTS weighs, from one pass over the text. */
export function tokenFeatures(text: string): TokenFeatures {
  const f = new TokenFeatures();
  // What the next word takes with it (the one space or sign before it), and whether the current run of
  // letters and digits holds a digit.
  let taken = "";
  let inId = false;
  for (let at = 0, end = 1; at < text.length; at = end++) {
    const kind = kindAt(text, at);
    if (isLetter(kind)) {
      end = countWord(f, text, at, taken, inId);
      taken = "";
      continue;
    }
    inId = kind === DIGIT;
    if (kind === DIGIT) {
      while (kindAt(text, end) === DIGIT) end++;
      f.piece += Math.ceil((end - at) / 3);
    } else if (isSpace(kind)) {
      while (isSpace(kindAt(text, end))) end++;
      taken = countSpace(f, text, at, end);
    } else {
      while (isSign(kindAt(text, end))) end++;
      if (end - at === 1 && taken === "" && isLetter(kindAt(text, end))) {
        taken = text.charAt(at);
        continue;
      }
      countSigns(f, text, at, end);
      taken = "";
      while (kindAt(text, end) === NEWLINE) end++;
    }
  }
  return f;
}

/** Counts the word that starts at `at` and returns its end: capitals then small letters, or one script. */
function countWord(f: TokenFeatures, text: string, at: number, taken: string, inId: boolean): number {
  let kind = kindAt(text, at);
  const script = kind;
  let end = at;
  let capitals = 0;
  let marked = 0;
  if (script <= MARKED) {
    for (; kind === UPPER; kind = kindAt(text, ++end)) capitals++;
    for (; kind === LOWER || kind === MARKED; kind = kindAt(text, ++end)) {
      if (kind === MARKED) marked++;
      if (isRare(text.charCodeAt(end))) f.rareLetter++;
    }
  } else {
    for (; kind === script; kind = kindAt(text, ++end)) {
      if (isRare(text.charCodeAt(end))) f.rareLetter++;
    }
  }
  const length = end - at;
  // A contraction ("don't", "we'll") is part of the word before it.
  if (taken === "'" && length <= 2 && isLetter(kindAt(text, at - 2))) return end;
  f.piece++;
  const spaced = taken === " " || taken === "\t";
  if (taken !== "" && !spaced && !TIGHT_SIGNS.includes(taken)) {
    if (LOOSE_SIGNS.includes(taken)) f.looseSign++;
    else f.aloneSign++;
  }
  if (script === CJK) f.cjk += length;
  else if (script === HANGUL) f.hangul += length;
  else if (script === OTHER) f.otherScript += length;
  else if (script === CYRILLIC) f.cyrillicTail += past(length, 3);
  else if (marked > 0) f.markedTail += past(length, 3);
  else if (inId) f.digitTail += past(length, 2);
  else if (capitals > 1) f.capitalTail += past(length, 2);
  else if (spaced) f.spacedTail += past(length, 8);
  else {
    f.bareTail += past(length, 5);
    if (length === 3) f.bareThree++;
  }
  return end;
}

/** Counts a run of white space and returns what it leaves for the next word or sign to take. */
function countSpace(f: TokenFeatures, text: string, at: number, end: number): string {
  let rest = end;
  while (rest > at && kindAt(text, rest - 1) === SPACE) rest--;
  if (rest > at) f.piece++;
  if (rest === end) return "";
  const next = kindAt(text, end);
  if (next === 0) {
    // One piece for the whole run: adding a newline later must not make the text cheaper.
    if (rest === at) f.piece++;
    return "";
  }
  if (end - rest > 1) f.piece++;
  const last = text.charAt(end - 1);
  if (isLetter(next) || (isSign(next) && last === " ")) return last;
  f.piece++;
  return "";
}

function countSigns(f: TokenFeatures, text: string, at: number, end: number): void {
  f.piece++;
  let changes = 0;
  for (let i = at; i < end; i++) {
    const kind = kindAt(text, i);
    if (kind === WIDE) f.wideSign++;
    else if (kind === SURROGATE) f.surrogate++;
    else if (text.charCodeAt(i) !== text.charCodeAt(i - 1)) changes++;
  }
  f.punctuation += past(changes, 2);
}

/** The estimated number of o200k tokens; rounded up, since it guards a budget. */
export function countTokens(text: string): number {
  if (text === "") return 0;
  const f = tokenFeatures(text);
  let sum = 0;
  for (const name of NAMES) sum += f[name] * TOKEN_WEIGHTS[name];
  return Math.max(1, Math.ceil(sum));
}
