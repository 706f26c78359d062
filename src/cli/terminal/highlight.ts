import { type Mark, marksIn } from "../../search/marks.ts";
import type { Paint } from "./paint.ts";

/** The text with the words that have one of these terms in bold yellow. */
export function highlighted(paint: Paint, text: string, terms: readonly string[], style = plain): string {
  const marks: readonly Mark[] = marksIn(text, terms);
  let shown = "";
  let at = 0;
  for (const [from, to] of marks) {
    shown += style(text.slice(at, from)) + paint("bold", paint("yellow", text.slice(from, to)));
    at = to;
  }
  return shown + style(text.slice(at));
}

function plain(text: string): string {
  return text;
}
