import { collapse } from "../base/text.ts";
import { passagesOf } from "./passages.ts";
import { eachTerm } from "./words.ts";

const LENGTH = 240;
/** What stands before the first word found: enough to read it in its sentence. */
const LEAD = 40;

/** The part of a note that shows why it was found, as one line. */
export function snippetOf(body: string, passage: number, terms: readonly string[]): string {
  // The note may have changed since it was ranked, and be shorter now.
  const text = passagesOf(body)[passage] ?? body.slice(0, 4000);
  return stretchOf(text, new Set(terms), LENGTH);
}

/** The stretch of a text, at most about so long, that has the most different terms; on one line. */
export function stretchOf(text: string, terms: ReadonlySet<string>, length: number): string {
  const start = bestStart(text, terms, length);
  const from = start <= LEAD ? 0 : afterSpace(text, start - LEAD);
  const line = collapse(text.slice(from, from + length).toWellFormed());
  return (from > 0 ? "… " : "") + line + (from + length < text.length ? " …" : "");
}

/** Where a stretch of this length begins that has the most different terms. */
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
 * The same, but of words that have the beginning of a wanted term in them: finding the terms of all others takes most
 * of the time of a page. A stem ends otherwise than its word, and begins alike; an accent may hide that.
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
