/** A link that is being typed: the text between `[[` and the cursor. */
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

/** The closing brackets to insert after a chosen title, unless they are already there. */
export function closingFor(text: string, cursor: number): string {
  return text.startsWith("]]", cursor) ? "" : "]]";
}
