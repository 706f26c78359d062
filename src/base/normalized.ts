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
