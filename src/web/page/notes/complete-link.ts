/** A link that is being typed: what stands before the cursor after `[[`. */
export interface TypedLink {
  readonly typed: string;
  /** Where the typed text begins. */
  readonly from: number;
}

const MOST = 80;

export function linkAt(text: string, cursor: number): TypedLink | undefined {
  const before = text.slice(Math.max(0, cursor - MOST - 2), cursor);
  const found = /\[\[([^[\]|#\n]*)$/.exec(before);
  if (found === null || found[1] === undefined) return undefined;
  return { typed: found[1], from: cursor - found[1].length };
}

/** What is inserted for a chosen title: with the closing brackets, unless they are there. */
export function closingFor(text: string, cursor: number): string {
  return text.startsWith("]]", cursor) ? "" : "]]";
}
