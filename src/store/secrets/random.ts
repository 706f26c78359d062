/**
 * Whether characters were drawn rather than written: a piece of eight or more with digits, or one of twelve or more that
 * changes between upper and lower case more often than names do. No measure of entropy: of twenty characters it
 * cannot tell a key from a name.
 */
export function isRandom(text: string): boolean {
  let from = 0;
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 45;
    const isWithin = (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
    if (isWithin) continue;
    if (at - from >= 8 && isRandomPiece(text.slice(from, at))) return true;
    from = at + 1;
  }
  return false;
}

function isRandomPiece(piece: string): boolean {
  if (/\d/.test(piece)) return !/^(.)\1*$/.test(piece);
  return piece.length >= 12 && wordLength(piece) < 3;
}

/** The words of a name in camel case have four letters and more on average, those of drawn letters about two. */
export function wordLength(letters: string): number {
  return letters.length / (letters.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g)?.length ?? 1);
}
