/** A part of a text, with the number of its first line. */
export interface FilePart {
  readonly text: string;
  readonly line: number;
}

/** At most as much as gets colours. */
export const PART_CHARACTERS = 20_000;
/** How many parts are shown at once, about 3,000 lines. A text of megabytes would block the page. */
export const PARTS_AT_ONCE = 5;
/** A text field with more is slow at every key. */
export const MOST_TO_EDIT = 512 * 1024;

/**
 * Splits a text into parts that end with a line, if possible before an empty one, where a sentence or a block of code
 * begins.
 */
export function partsOf(text: string): readonly FilePart[] {
  const parts: FilePart[] = [];
  let line = 1;
  for (let at = 0; at < text.length; ) {
    const part = text.slice(at, endOf(text, at));
    parts.push({ text: part, line });
    at += part.length;
    for (let end = part.indexOf("\n"); end !== -1; end = part.indexOf("\n", end + 1)) line++;
  }
  return parts;
}

function endOf(text: string, from: number): number {
  const most = from + PART_CHARACTERS;
  if (most >= text.length) return text.length;
  const middle = from + PART_CHARACTERS / 2;
  const paragraph = text.lastIndexOf("\n\n", most - 2) + 1;
  if (paragraph > middle) return paragraph;
  const line = text.lastIndexOf("\n", most - 1) + 1;
  if (line > from) return line;
  // Not between the halves of a surrogate pair.
  return text.charCodeAt(most) >>> 10 === 0x37 ? most - 1 : most;
}

/** Which parts are shown first: the beginning, or those around a line. */
export function firstShown(parts: readonly FilePart[], line: number): { from: number; to: number } {
  const found = Math.max(
    0,
    parts.findLastIndex((part) => part.line <= line),
  );
  const from = found < PARTS_AT_ONCE ? 0 : found - 1;
  return { from, to: Math.min(parts.length, from + PARTS_AT_ONCE) };
}
