/** Unsaved text, kept in the browser: a reload, another place or a closed tab loses nothing. */
export interface Draft {
  readonly text: string;
  /** Of the version that the changes were made to; empty for a new text. */
  readonly checksum: string;
}

const PREFIX = "continuo.draft.";
/** What the browser had no room for lasts as long as the page. */
const large = new Map<string, Draft>();

/** `of` is a note's address, a file's path, or a chat. */
export function readDraft(of: string): Draft | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(PREFIX + of) ?? "null");
    return large.get(of) ?? (isDraft(kept) ? kept : undefined);
  } catch {
    return large.get(of); // no storage, or not ours
  }
}

/** Returns whether the draft survives the page: a browser may have no room for a long text. */
export function keepDraft(of: string, draft: Draft): boolean {
  try {
    localStorage.setItem(PREFIX + of, JSON.stringify(draft));
    large.delete(of);
    return true;
  } catch {
    large.set(of, draft);
    return false;
  }
}

/** With `text` only if that is what was kept: another tab may have unsaved changes of the same text. */
export function dropDraft(of: string, text?: string): void {
  if (text !== undefined && readDraft(of)?.text !== text) return;
  large.delete(of);
  try {
    localStorage.removeItem(PREFIX + of);
  } catch {
    // Without storage there is no draft.
  }
}

function isDraft(value: unknown): value is Draft {
  const { text, checksum } = (value ?? {}) as Partial<Draft>;
  return typeof text === "string" && typeof checksum === "string";
}
