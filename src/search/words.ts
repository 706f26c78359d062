import { normalized } from "../base/text.ts";
import { isParticle, isVerb, joined } from "./compounds.ts";
import { BASE, FORMS, formOf } from "./postings.ts";
import { stem } from "./stem.ts";

/**
 * Letters and digits, with `-` and `_` between the parts of a name, or a number with points (`1.2.3`). Slashes and
 * points separate words, so each folder of a path is found, and all together find the whole path.
 */
const RUNS = /v?\d+(?:\.\d+)+|[\p{L}\p{N}\p{M}]+(?:[_-]+[\p{L}\p{N}\p{M}]+)*/uy;
/** Where a name is split into words: at `-` and `_`, before a capital (`userName`), after capitals (`HTTPServer`). */
const SEAMS = /[_-]+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
/** For ASCII: regular expressions with Unicode classes take milliseconds to compile, in every hook. */
const ASCII = /^[\x00-\x7f]*$/;
const ASCII_RUNS = /v?\d+(?:\.\d+)+|[A-Za-z0-9]+(?:[_-]+[A-Za-z0-9]+)*/y;
const ASCII_SEAMS = /[_-]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;
/** Scripts without spaces between words: they are indexed as pairs of neighbouring characters. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const UNSPACED_RUNS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{M}]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+/gu;
/** Longer words are keys, hashes or encoded data: their beginning is enough to find them. */
const LONGEST = 40;
/** A name with more parts is a whole sentence (a slug), and is found only by its parts. */
const MAX_PARTS = 4;

/** The expression that finds runs in this text. */
const runsFor = (text: string): RegExp => (ASCII.test(text) ? ASCII_RUNS : RUNS);

export function runsIn(text: string): string[] {
  const runs = runsFor(text);
  return text.match(new RegExp(runs, runs.unicode ? "gu" : "g")) ?? [];
}

/**
 * `form`: the class of the word's form (postings.ts). `at`: where the word begins; for a compound, where its first word
 * begins.
 */
type Visit = (term: string, at: number, form: number) => void;

/**
 * Calls `visit` with every term of a text, in order; with stop words only if `withStops`. Most words are ASCII letters
 * without `-`, `_` or `.` beside them; only the others need the regular expression, which is several times slower.
 */
export function eachTerm(text: string, visit: Visit, withStops = false): void {
  let verb = "";
  let verbAt = 0;
  let verbEnd = -1;
  let runs: RegExp | undefined;
  for (let at = 0; at < text.length; ) {
    let end = at;
    let hash = 0;
    let isPlain = true;
    let code = text.charCodeAt(at);
    for (let kind = classOf(code); kind <= CAPITAL; kind = classOf(code)) {
      if (kind === CAPITAL && end > at) isPlain = false;
      hash = step(hash, code);
      code = text.charCodeAt(++end);
    }
    let next = end;
    if (classOf(code) === JOINS) {
      runs ??= runsFor(text);
      runs.lastIndex = at;
      const run = runs.exec(text)?.[0] ?? "";
      if (run.length !== end - at) isPlain = false;
      if (!isPlain) splitRun(run, at, visit, withStops);
      next = at + run.length;
    } else if (!isPlain) splitRun(text.slice(at, end), at, visit, withStops);
    if (next === at) next++;
    else if (isPlain) {
      const place = known(text, at, end, hash);
      const kind = kinds[place] as number;
      const term = terms[place] as string;
      if ((kind & STOP) === 0 || withStops) visit(term, at, kind & FORMS);
      if ((kind & PARTICLE) !== 0 && verbEnd === at - 1 && isSpace(text.charCodeAt(verbEnd))) {
        const compound = joined(verb, (words[place] as string).toLowerCase());
        if (compound !== undefined) add(compound, verbAt, visit, withStops);
      }
      if ((kind & VERB) !== 0) {
        verb = term;
        verbAt = at;
        verbEnd = end;
      }
    }
    at = next;
  }
}

/** A lookup table is faster than comparisons. Beyond the end of the text the code is NaN, which counts as joining. */
const SMALL_OR_DIGIT = 0;
const CAPITAL = 1;
const JOINS = 2; // `-`, `.`, `_` and everything that is not ASCII
const SEPARATES = 3;
const CLASSES = Uint8Array.from({ length: 128 }, (_, code) => {
  if ((code > 96 && code < 123) || (code > 47 && code < 58)) return SMALL_OR_DIGIT;
  if (code > 64 && code < 91) return CAPITAL;
  return "-._".includes(String.fromCharCode(code)) ? JOINS : SEPARATES;
});
const classOf = (code: number): number => (code < 128 ? (CLASSES[code] as number) : JOINS);
const isSpace = (code: number): boolean => code === 32 || code === 10;

export function termsOf(text: string): string[] {
  const terms: string[] = [];
  eachTerm(text, (term) => terms.push(term));
  return terms;
}

function splitRun(run: string, at: number, visit: Visit, withStops: boolean): void {
  eachWord(run, (word, isWord) => {
    if (isWord) add(word, at, visit, withStops);
    else visit(word, at, BASE);
  });
}

/**
 * The words of a run: its parts, then all `joined` of them as one, so that `getUserName`, `get_user_name` and
 * `get-user-name` are the same name. `isWord` is false for numbers and pairs of characters, which are used unstemmed.
 */
export function eachWord(run: string, visit: (word: string, isWord: boolean, joined: number) => void): void {
  if (/^v?\d[\d.]*$/.test(run)) {
    visit(run.replace("v", "").slice(0, LONGEST), false, 1);
    return;
  }
  const isAscii = ASCII.test(run);
  if (!isAscii && UNSPACED.test(run)) {
    for (const [part] of run.matchAll(UNSPACED_RUNS)) {
      if (UNSPACED.test(part)) for (const pair of pairsOf(part)) visit(pair, false, 1);
      else visit(part, true, 1);
    }
    return;
  }
  const parts = run.split(isAscii ? ASCII_SEAMS : SEAMS).filter((part) => part !== "");
  for (const part of parts) visit(part, true, 1);
  if (parts.length > 1 && parts.length <= MAX_PARTS) visit(parts.join(""), true, parts.length);
}

function pairsOf(part: string): string[] {
  const letters = [...normalized(part, "NFKC")];
  if (letters.length === 1) return [part];
  return letters.slice(1).map((letter, before) => `${letters[before]}${letter}`);
}

function add(word: string, at: number, visit: Visit, withStops: boolean): void {
  let hash = 0;
  for (let i = 0; i < word.length; i++) hash = step(hash, word.charCodeAt(i));
  const place = known(word, 0, word.length, hash);
  const kind = kinds[place] as number;
  const term = terms[place] as string;
  // A run of combining marks alone, such as an emoji's variation selector, has no term.
  if (term !== "" && ((kind & STOP) === 0 || withStops)) visit(term, at, kind & FORMS);
}

/** Facts about a word besides its form, in the same byte. */
const STOP = 0x01;
const PARTICLE = 0x02;
const VERB = 0x04;

/**
 * A cache of terms by the hash of the word, because texts repeat their words. A new word replaces the old one in its
 * slot. The last slot is for long words, which are never cached: in V8 a long slice would keep the whole text in
 * memory. The cache starts small and grows after many misses, because creating the large one would take a hook 2 ms.
 */
const FEW_PLACES = 1 << 8;
const MANY_PLACES = 1 << 16;
const LONGEST_KNOWN = 12;
let places = FEW_PLACES;
let words = new Array<string>(places + 1).fill("");
let terms = new Array<string>(places + 1).fill("");
let kinds = new Uint8Array(places + 1);
let unknown = 0;

function enlarge(): void {
  places = MANY_PLACES;
  words = new Array<string>(places + 1).fill("");
  terms = new Array<string>(places + 1).fill("");
  kinds = new Uint8Array(places + 1);
}

const step = (hash: number, code: number): number => (Math.imul(hash, 31) + code) | 0;

/** The slot of a word in the cache. */
function known(text: string, from: number, to: number, hash: number): number {
  const length = to - from;
  const isLong = length > LONGEST_KNOWN;
  const place = isLong ? places : (hash ^ (hash >>> 16)) & (places - 1);
  const word = words[place] as string;
  if (!isLong && word.length === length && text.startsWith(word, from)) return place;
  if (++unknown === FEW_PLACES) {
    enlarge();
    return known(text, from, to, hash);
  }
  const slice = text.slice(from, to);
  const { word: plain, term, form, isStop } = wordOf(slice);
  if (!isLong) words[place] = slice;
  terms[place] = term;
  kinds[place] =
    form | (isStop ? STOP : 0) | (isParticle(plain) ? PARTICLE : 0) | (!isStop && isVerb(term) ? VERB : 0);
  return place;
}

/** The word with this term in the run that begins at `at`; "" if it is not a separate word there. */
export function wordAt(text: string, at: number, term: string): string {
  const runs = runsFor(text);
  runs.lastIndex = at;
  let found = "";
  eachWord(runs.exec(text)?.[0] ?? "", (written, isWord) => {
    const { word, term: one } = wordOf(written);
    if (isWord && one === term && found === "") found = word;
  });
  return found;
}

interface Word {
  /** Folded: without case, accents and width. */
  readonly word: string;
  readonly term: string;
  readonly form: number;
  readonly isStop: boolean;
}

export function wordOf(written: string): Word {
  const word = fold(written).slice(0, LONGEST);
  if (STOP_WORDS.has(word)) return { word, term: word, form: BASE, isStop: true };
  const term = stem(word);
  return { word, term, form: formOf(word, term), isStop: false };
}

/** Removes case, accents and width, which people ignore when they search. */
function fold(word: string): string {
  return ASCII.test(word)
    ? word.toLowerCase()
    : normalized(normalized(word, "NFKD").replace(/\p{M}/gu, "").toLowerCase(), "NFC");
}

/** A prompt may be a whole log file, but its beginning says what it is about. */
const MAX_CHARACTERS = 10_000;
const MAX_TERMS = 200;

/** The distinct terms of a query. A query has no syntax: quotes, `NEAR`, `*` and brackets are plain characters. */
export function queryTerms(query: string): string[] {
  const terms = new Set<string>();
  eachTerm(query.slice(0, MAX_CHARACTERS), (term) => {
    if (terms.size < MAX_TERMS) terms.add(term);
  });
  return [...terms];
}

/**
 * Words that do not say what a text is about. They are indexed only in titles and names, because a note may be called
 * "Go". A query of nothing else still gets results.
 */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about after again all also am an and any are aren as at be because been before being both but by can could
  couldn d did didn do does doesn doing don during each few for from further get gets getting go going got had hadn
  has hasn have haven having he her here hers him his how i if in into is isn it its itself just let ll m me might
  more most my myself no nor not now of off on once only or other our ours out over own please re s same she should
  shouldn so some such t than that the their theirs them then there these they this those through to too under until
  up us ve very was wasn we were weren what when where which while who whom whose why will with won would wouldn you
  your yours yourself`.split(/\s+/),
);
