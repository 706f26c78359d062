/** On one line: every run of white space becomes one space. */
export function collapse(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** The first `most` characters, with `mark` behind them where there were more. Half a character at the cut becomes U+FFFD. */
export function clip(text: string, most: number, mark = "…"): string {
  return text.length <= most ? text : text.slice(0, most).toWellFormed() + mark;
}

/** As `clip`, but no longer than `most` with the mark. */
export function clipWithin(text: string, most: number): string {
  return text.length <= most ? text : clip(text, most - 1);
}
