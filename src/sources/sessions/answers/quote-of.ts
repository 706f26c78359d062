import { collapse } from "../../../base/text.ts";
import { stretchOf } from "../../../search/passages.ts";
import { eachTerm } from "../../../search/words.ts";

/** The consecutive sentences of a text that have the most different terms, on one line; only a longer sentence is cut. */
export function quoteOf(text: string, terms: ReadonlySet<string>, longest: number): string {
  const sentences = sentencesIn(text);
  const found = sentences.map((sentence) => termsIn(sentence, terms));
  const begins = [0];
  for (const { length } of sentences) begins.push((begins.at(-1) ?? 0) + length + 1);
  const fits = (from: number, to: number) => (begins[to] ?? 0) - (begins[from] ?? 0) - 1 <= longest;
  let [from, to, most] = [0, 0, -1];
  for (const start of sentences.keys()) {
    if (found[start]?.size === 0 && start > 0) continue;
    let end = start + 1;
    while (end < sentences.length && fits(start, end + 1)) end++;
    const { size } = new Set(found.slice(start, end).flatMap((some) => [...some]));
    if (size > most) [from, to, most] = [start, end, size];
  }
  // At the end of the text there may be room for what was said before.
  while (from > 0 && fits(from - 1, to)) from--;
  const quote = sentences.slice(from, to).join(" ");
  if (quote.length > longest) return stretchOf(quote, terms, longest);
  return `${from > 0 ? "… " : ""}${quote}${to < sentences.length ? " …" : ""}`;
}

/** Whether somebody only asks: such words cannot answer a question. */
export const isOnlyQuestions = (quote: string): boolean =>
  sentencesIn(quote.replace(/^… | …$/g, "")).every((sentence) => /[?？]["')\]]*$/.test(sentence));

/** A line ends a sentence unless the next goes on in small letters: texts may have been wrapped by hand. */
const ENDS = /(?<=[.!?]["'”)\]*_]*)\s+(?=\S)|(?<=[。！？])|\n\s*\n|\n(?=\s*[^\s\p{Ll}])/u;

function sentencesIn(text: string): string[] {
  return text
    .toWellFormed()
    .split(ENDS)
    .map(collapse)
    .filter((sentence) => sentence !== "");
}

function termsIn(sentence: string, wanted: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set<string>();
  eachTerm(sentence, (term) => {
    if (wanted.has(term)) found.add(term);
  });
  return found;
}
