import { oneLine } from "../base/for-terminal.ts";
import { eachTerm } from "./words.ts";

/** A stretch of a text: where it begins, and where it ends. */
export type Mark = readonly [from: number, to: number];

/** More marks would not make a short text easier to read. */
const MOST = 50;

/** The ranges of words in a short text that have one of these terms, in order, without overlaps. */
export function marksIn(text: string, terms: readonly string[]): Mark[] {
  const wanted = new Set(terms);
  const starts = new Set<number>();
  eachTerm(text, (term, at) => {
    if (wanted.has(term)) starts.add(at);
  });
  const marks: Mark[] = [];
  for (const from of [...starts].sort((a, b) => a - b)) {
    if (from < (marks.at(-1)?.[1] ?? 0)) continue;
    const to = from + (/^[\p{L}\p{M}\p{N}]+/u.exec(text.slice(from, from + 100))?.[0].length ?? 0);
    if (to > from) marks.push([from, to]);
    if (marks.length === MOST) break;
  }
  return marks;
}

type Paint = (look: "bold" | "yellow", text: string) => string;

/** The text with matching words in bold yellow. */
export function highlighted(
  paint: Paint,
  text: string,
  terms: readonly string[],
  style = (rest: string) => rest,
): string {
  let shown = "";
  let at = 0;
  for (const [from, to] of marksIn(text, terms)) {
    shown += style(text.slice(at, from)) + paint("bold", paint("yellow", text.slice(from, to)));
    at = to;
  }
  return shown + style(text.slice(at));
}

/** Why something was found, in words: `matches: deploy, search`. The score is for programs. */
export function matchText({
  matched,
  textScore,
}: {
  readonly matched: readonly string[];
  readonly textScore: number;
}): string {
  if (matched.length > 0) return `matches: ${oneLine(matched.join(", "))}`;
  return textScore > 0 ? "matches elsewhere in it" : "matches by meaning";
}
