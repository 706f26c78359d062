import { ContinuoError } from "../base/errors.ts";
import { normalized } from "../base/text.ts";
import { stem } from "./stem.ts";

/**
 * Letters and digits, with `-` and `_` between the parts of a name; or a number with points (`1.2.3`). A slash and a
 * point separate words, so each folder of a path is found, and all together find the whole path.
 */
const RUNS = /v?\d+(?:\.\d+)+|[\p{L}\p{N}\p{M}]+(?:[_-]+[\p{L}\p{N}\p{M}]+)*/uy;
/** Where a name is split into words: at `-` and `_`, before a capital (`userName`), after capitals (`HTTPServer`). */
const SEAMS = /[_-]+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
/** Scripts without spaces between words: they are indexed by pairs of neighbouring characters. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const UNSPACED_RUNS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{M}]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+/gu;
/** Longer words are keys, hashes and encoded data: their beginning is enough to find them. */
const LONGEST = 40;
/** A name of more parts is a whole sentence (a slug): it is found by its parts only. */
const MAX_PARTS = 4;

/**
 * Calls `visit` with every term of a text, in order, and where its word begins. Most words are ASCII letters without
 * `-`, `_` or `.` beside them: the regular expression, which is several times slower, is used only for the others.
 */
export function eachTerm(text: string, visit: (term: string, at: number) => void): void {
  for (let at = 0; at < text.length; ) {
    let end = at;
    let hash = 0;
    let isPlain = true;
    for (let code = text.charCodeAt(at); isAsciiLetter(code); code = text.charCodeAt(++end)) {
      if (end > at && isCapital(code)) isPlain = false;
      hash = step(hash, code);
    }
    if (mayJoin(text.charCodeAt(end))) {
      RUNS.lastIndex = at;
      const run = RUNS.exec(text)?.[0];
      if (run !== undefined && run.length === end - at && isPlain)
        emit(known(text, at, end, hash), at, visit);
      else if (run !== undefined) splitRun(run, at, visit);
      at += run?.length ?? 1;
    } else {
      if (end > at && isPlain) emit(known(text, at, end, hash), at, visit);
      else if (end > at) splitRun(text.slice(at, end), at, visit);
      at = Math.max(end, at + 1);
    }
  }
}

const isSmall = (code: number): boolean => (code > 96 && code < 123) || (code > 47 && code < 58);
const isCapital = (code: number): boolean => code > 64 && code < 91;
/** Or a digit. Beyond the end of the text the code is NaN, which is neither. */
const isAsciiLetter = (code: number): boolean => isSmall(code) || isCapital(code);
/** `-`, `.`, `_` and everything that is not ASCII. */
const mayJoin = (code: number): boolean => code > 127 || code === 45 || code === 46 || code === 95;

export function termsOf(text: string): string[] {
  const terms: string[] = [];
  eachTerm(text, (term) => terms.push(term));
  return terms;
}

function splitRun(run: string, at: number, visit: (term: string, at: number) => void): void {
  if (/^v?\d[\d.]*$/.test(run)) {
    visit(run.replace("v", "").slice(0, LONGEST), at);
    return;
  }
  if (UNSPACED.test(run)) {
    for (const [part] of run.matchAll(UNSPACED_RUNS)) {
      if (UNSPACED.test(part)) pairs(part, at, visit);
      else add(part, at, visit);
    }
    return;
  }
  const parts = run.split(SEAMS).filter((part) => part !== "");
  for (const part of parts) add(part, at, visit);
  // Also joined, so that `getUserName`, `get_user_name` and `get-user-name` are the same name.
  if (parts.length > 1 && parts.length <= MAX_PARTS) add(parts.join(""), at, visit);
}

function pairs(part: string, at: number, visit: (term: string, at: number) => void): void {
  const letters = [...normalized(part, "NFKC")];
  if (letters.length === 1) visit(part, at);
  for (let i = 0; i + 1 < letters.length; i++) visit(`${letters[i]}${letters[i + 1]}`, at);
}

function add(word: string, at: number, visit: (term: string, at: number) => void): void {
  let hash = 0;
  for (let i = 0; i < word.length; i++) hash = step(hash, word.charCodeAt(i));
  emit(known(word, 0, word.length, hash), at, visit);
}

function emit(term: string, at: number, visit: (term: string, at: number) => void): void {
  if (term !== "") visit(term, at);
}

/** Texts repeat their words: a cache of terms by the hash of the word. A new word replaces the old one at its place. */
const PLACES = 1 << 16;
const words = new Array<string>(PLACES).fill("");
const terms = new Array<string>(PLACES).fill("");
/** A longer slice would keep the whole text that it was cut from in memory (V8). */
const LONGEST_KNOWN = 12;

const step = (hash: number, code: number): number => (Math.imul(hash, 31) + code) | 0;

/** The term of a word in a text; "" for a stop word. */
function known(text: string, from: number, to: number, hash: number): string {
  const length = to - from;
  if (length > LONGEST_KNOWN) return termOf(text.slice(from, to));
  const place = (hash ^ (hash >>> 16)) & (PLACES - 1);
  const word = words[place] ?? "";
  if (word.length === length && text.startsWith(word, from)) return terms[place] ?? "";
  words[place] = text.slice(from, to);
  terms[place] = termOf(text.slice(from, to));
  return terms[place] ?? "";
}

function termOf(word: string): string {
  const plain = fold(word).slice(0, LONGEST);
  return STOP_WORDS.has(plain) ? "" : stem(plain);
}

/** Removes case, accents and width: people mean the same word. */
function fold(word: string): string {
  return /^[\x00-\x7f]*$/.test(word)
    ? word.toLowerCase()
    : normalized(normalized(word, "NFKD").replace(/\p{M}/gu, "").toLowerCase(), "NFC");
}

/** Words that do not tell what a text is about. They are neither indexed nor searched for. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about after again all also am an and any are aren as at be because been before being both but by can could
  couldn d did didn do does doesn doing don during each few for from further get gets getting go going got had hadn
  has hasn have haven having he her here hers him his how i if in into is isn it its itself just let ll m me might
  more most my myself no nor not now of off on once only or other our ours out over own please re s same she should
  shouldn so some such t than that the their theirs them then there these they this those through to too under until
  up us ve very was wasn we were weren what when where which while who whom whose why will with won would wouldn you
  your yours yourself`.split(/\s+/),
);

/** A prompt may be a whole log file: its beginning tells what it is about. */
const MAX_CHARACTERS = 10_000;
const MAX_TERMS = 200;

/** The terms of a query, each once. A query has no syntax: quotes, `NEAR`, `*` and brackets are plain characters. */
export function queryTerms(query: string): string[] {
  const terms = new Set<string>();
  eachTerm(query.slice(0, MAX_CHARACTERS), (term) => {
    if (terms.size < MAX_TERMS) terms.add(term);
  });
  return [...terms];
}

export function emptyQuery(query: string, what = "the note"): ContinuoError {
  const shown = query.trim().slice(0, 60);
  const message = shown === "" ? "the query is empty" : `no searchable words in "${shown}"`;
  return new ContinuoError("query-empty", message, {
    hint: `name what ${what} is about, such as a topic or a name`,
  });
}
