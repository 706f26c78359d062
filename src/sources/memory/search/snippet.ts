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
  const cut = text.slice(from, from + length).toWellFormed();
  const line = cut.replace(/\s+/g, " ").trim();
  return (from > 0 ? "… " : "") + line + (from + length < text.length ? " …" : "");
}

/** Where a stretch of this length begins that has the most different terms. */
function bestStart(text: string, wanted: ReadonlySet<string>, length: number): number {
  const places: { readonly at: number; readonly term: string }[] = [];
  eachTerm(text, (term, at) => {
    if (wanted.has(term)) places.push({ at, term });
  });
  let best = 0;
  let most = 0;
  for (const [i, { at }] of places.entries()) {
    const near = new Set<string>();
    for (let j = i; j < places.length && (places[j]?.at ?? 0) < at + length - LEAD; j++)
      near.add(places[j]?.term ?? "");
    if (near.size <= most) continue;
    most = near.size;
    best = at;
  }
  return best;
}

function afterSpace(text: string, at: number): number {
  const space = text.slice(at, at + LEAD).search(/\s/);
  return space < 0 ? at : at + space + 1;
}
