/**
 * A long note is ranked by its best passage: a match of all words in one paragraph says more than the same words strewn
 * over ten pages. The length was chosen on the retrieval benchmark.
 */
const PASSAGE_LENGTH = 1500;

/** The passages of a text, in order, which together are the text; cut at a line, else at a space, where there is one. */
export function passagesOf(text: string): string[] {
  const passages: string[] = [];
  for (let at = 0; at < text.length || at === 0; ) {
    const end = endOfPassage(text, at);
    passages.push(text.slice(at, end));
    at = Math.max(end, at + 1);
  }
  return passages;
}

function endOfPassage(text: string, at: number): number {
  const limit = at + PASSAGE_LENGTH;
  if (limit >= text.length) return text.length;
  const least = at + PASSAGE_LENGTH / 2;
  for (const sign of ["\n", " "]) {
    const found = text.lastIndexOf(sign, limit);
    if (found > least) return found + 1;
  }
  // Never between the halves of one character.
  return /[\uD800-\uDBFF]/.test(text[limit - 1] ?? "") ? limit - 1 : limit;
}
