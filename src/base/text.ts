import { isUtf8 } from "node:buffer";
/** Puts a text on one line: every run of white space becomes one space. */
export function collapse(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** The first `most` characters, followed by `mark` if there are more. Half a surrogate pair at the cut becomes U+FFFD. */
export function clip(text: string, most: number, mark = "…"): string {
  return text.length <= most ? text : text.slice(0, most).toWellFormed() + mark;
}

/** As `clip`, but the result has at most `most` characters including the mark. */
export function clipWithin(text: string, most: number): string {
  return text.length <= most ? text : clip(text, most - 1);
}

/** Unicode's own limit for streams (UAX 15, Stream-Safe Text Format); no script comes near it. */
const MAX_MARKS = 30;

/**
 * `String.normalize` in linear time. Normalising sorts the combining marks of a letter, which takes minutes for a
 * hundred thousand marks. So marks after the thirtieth are removed first.
 */
export function normalized(text: string, form: "NFC" | "NFD" | "NFKC" | "NFKD"): string {
  // Plain ASCII has no marks; the regular expression for all of Unicode is compiled only if there may be some.
  if (text.length <= MAX_MARKS || !/[^\x00-\x7f]/.test(text)) return text.normalize(form);
  return text.replace(new RegExp(`(\\p{M}{${MAX_MARKS}})\\p{M}+`, "gu"), "$1").normalize(form);
}

/** Quotes a word for a shell. Ids and paths come from other people's files: nothing in them may be executed. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) && !text.startsWith("-") ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The known word closest to a mistyped one; undefined if none is close enough. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const wanted = word.toLowerCase();
  const ranked = known
    .map((name) => ({ name, distance: editDistance(wanted, name.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
  const best = ranked[0];
  if (best === undefined) return undefined;
  return best.distance <= Math.max(2, Math.floor(wanted.length / 3)) ? best.name : undefined;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/**
 * Decodes UTF-8 and keeps a byte order mark; undefined if the bytes are invalid. TextDecoder would load code for 2 ms
 * in every hook.
 */
export function fromUtf8(bytes: Uint8Array): string | undefined {
  if (!isUtf8(bytes)) return undefined;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}
