/** Unicode's own limit for streams; no script comes near it. */
const MOST_MARKS = 30;
const LONG_RUN = new RegExp(`(\\p{M}{${MOST_MARKS}})\\p{M}+`, "gu");

/**
 * `String.normalize` in linear time. It sorts the marks on a letter, and for a letter with a hundred thousand marks that
 * takes minutes: what is beyond the thirtieth mark goes.
 */
export function normalized(text: string, form: "NFC" | "NFD" | "NFKC" | "NFKD"): string {
  return (text.length > MOST_MARKS ? text.replace(LONG_RUN, "$1") : text).normalize(form);
}
