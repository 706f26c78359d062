import { collapse } from "../base/text.ts";
import { eachTerm } from "./words.ts";

/**
 * In characters; chosen on the retrieval benchmark. A long note is ranked by its best passage: all words in one
 * paragraph are a better match than the same words spread over ten pages.
 */
const PASSAGE_LENGTH = 1500;

/**
 * Splits a text into passages, at a line end or else at a space if there is one. Joined in order, they are the text.
 */
export function passagesOf(text: string): string[] {
  const passages: string[] = [];
  for (let at = 0; at < text.length || at === 0; ) {
    const end = endOfPassage(text, at);
    passages.push(text.slice(at, end));
    at = Math.max(end, at + 1);
  }
  return passages;
}

function endOfPassage(text: string, at: number): number {
  const limit = at + PASSAGE_LENGTH;
  if (limit >= text.length) return text.length;
  // Bounded: otherwise, in a megabyte without a space, each passage would be searched back to the beginning of the
  // text.
  const least = at + PASSAGE_LENGTH / 2 + 1;
  const end = text.slice(least, limit + 1);
  for (const separator of ["\n", " "]) {
    const found = end.lastIndexOf(separator);
    if (found >= 0) return least + found + 1;
  }
  // Never between the halves of a surrogate pair.
  return /[\uD800-\uDBFF]/.test(text[limit - 1] ?? "") ? limit - 1 : limit;
}

const LENGTH = 240;
/** How many characters are shown before the first match, so that its sentence can be read. */
const LEAD = 40;

/** The part of a text that shows why it was found, as one line. */
export function snippetOf(body: string, passage: number, terms: readonly string[]): string {
  return stretchOf(passageAt(body, passage), new Set(terms), LENGTH);
}

/** The passage's text. If the note changed since it was ranked and is too short now, its beginning. */
export function passageAt(body: string, passage: number): string {
  return passagesOf(body)[passage] ?? body.slice(0, 4000);
}

/** Whether a text has one of the terms. */
export function hasTerm(text: string, terms: readonly string[]): boolean {
  const wanted = new Set(terms);
  return placesNear(text, wanted).length > 0 || placesIn(text, 0, wanted).length > 0;
}

/** A longer run, such as a sentence in a script without spaces, is not one word. */
const LONGEST_MARK = 60;
const MOST_MARKS = 50;

/** The ranges of words with one of these terms, to highlight them; in order, without overlaps. */
export function marksOf(text: string, terms: readonly string[]): [from: number, to: number][] {
  const marks: [number, number][] = [];
  const word = /[\p{L}\p{N}\p{M}_]+/uy;
  for (const { at } of placesIn(text, 0, new Set(terms))) {
    word.lastIndex = at;
    const length = word.exec(text)?.[0].length ?? 0;
    if (length === 0 || length > LONGEST_MARK || at < (marks.at(-1)?.[1] ?? 0)) continue;
    marks.push([at, at + length]);
    if (marks.length === MOST_MARKS) break;
  }
  return marks;
}

/** The excerpt of about this length that contains the most different terms, as one line. */
export function stretchOf(text: string, terms: ReadonlySet<string>, length: number): string {
  const start = bestStart(text, terms, length);
  const from = start <= LEAD ? 0 : afterSpace(text, start - LEAD);
  const cut = text.slice(from, from + length).toWellFormed();
  const line = collapse(cut);
  return (from > 0 ? "… " : "") + line + (from + length < text.length ? " …" : "");
}

/** Where the excerpt of this length with the most different terms begins. */
function bestStart(text: string, wanted: ReadonlySet<string>, length: number): number {
  const near = placesNear(text, wanted);
  const places = near.length > 0 ? near : placesIn(text, 0, wanted);
  let best = 0;
  let most = 0;
  for (const [i, { at }] of places.entries()) {
    const together = new Set<string>();
    for (let j = i; j < places.length && (places[j]?.at ?? 0) < at + length - LEAD; j++)
      together.add(places[j]?.term ?? "");
    if (together.size <= most) continue;
    most = together.size;
    best = at;
  }
  return best;
}

interface Place {
  readonly at: number;
  readonly term: string;
}

function placesIn(text: string, from: number, wanted: ReadonlySet<string>): Place[] {
  const places: Place[] = [];
  eachTerm(text, (term, at) => {
    if (wanted.has(term)) places.push({ at: from + at, term });
  });
  return places;
}

/**
 * The same, but only for words that contain the beginning of a wanted term, because computing the terms of all other
 * words takes most of a page's time. A stem begins like its word and may end differently. With accents it may also
 * begin differently, so only ASCII texts are read this way.
 */
function placesNear(text: string, wanted: ReadonlySet<string>): Place[] {
  if (/[^\x00-\x7f]/.test(text)) return [];
  const starts = [...wanted]
    .filter((term) => /^[a-z0-9.]+$/.test(term))
    .map((term) => term.slice(0, Math.max(1, Math.min(4, term.length - 1))).replaceAll(".", "\\."));
  if (starts.length === 0) return [];
  const anyStart = new RegExp(starts.join("|"), "gi");
  const places: Place[] = [];
  for (let found = anyStart.exec(text); found !== null; found = anyStart.exec(text)) {
    let from = found.index;
    let to = anyStart.lastIndex;
    while (from > 0 && text.charCodeAt(from - 1) > 32) from--;
    while (to < text.length && text.charCodeAt(to) > 32) to++;
    places.push(...placesIn(text.slice(from, to), from, wanted));
    anyStart.lastIndex = to;
  }
  return places;
}

function afterSpace(text: string, at: number): number {
  const space = text.slice(at, at + LEAD).search(/\s/);
  return space < 0 ? at : at + space + 1;
}
