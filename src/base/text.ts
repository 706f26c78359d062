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

/** Unicode's own limit for streams; no script comes near it. */
const MOST_MARKS = 30;

/**
 * `String.normalize` in linear time. It sorts the marks on a letter, and for a letter with a hundred thousand marks that
 * takes minutes: what is beyond the thirtieth mark goes.
 */
export function normalized(text: string, form: "NFC" | "NFD" | "NFKC" | "NFKD"): string {
  // Plain ASCII has no marks; the expression for all of Unicode's is built only where there may be some.
  if (text.length <= MOST_MARKS || !/[^\x00-\x7f]/.test(text)) return text.normalize(form);
  return text.replace(new RegExp(`(\\p{M}{${MOST_MARKS}})\\p{M}+`, "gu"), "$1").normalize(form);
}

/** Quotes a word for a shell. Ids and paths come from files of others: nothing in them may run. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) && !text.startsWith("-") ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
