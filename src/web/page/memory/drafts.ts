/** Unsaved changes of a note, kept in the browser: a reload, another place or a crash loses nothing. */
export interface Draft {
  readonly text: string;
  /** Of the note that the changes were made to. */
  readonly checksum: string;
}

const PREFIX = "continuo.draft.";
/** What a new note is kept under. */
export const NEW_NOTE = "new";

export function readDraft(uri: string): Draft | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(PREFIX + uri) ?? "null");
    return isDraft(kept) ? kept : undefined;
  } catch {
    return undefined; // no storage, or not ours
  }
}

/** Returns whether the draft is kept: a browser may have no room for a long note. */
export function keepDraft(uri: string, draft: Draft): boolean {
  try {
    localStorage.setItem(PREFIX + uri, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

export function dropDraft(uri: string): void {
  try {
    localStorage.removeItem(PREFIX + uri);
  } catch {
    // Without storage there is no draft.
  }
}

export function hasDraft(uri: string): boolean {
  return readDraft(uri) !== undefined;
}

function isDraft(value: unknown): value is Draft {
  const { text, checksum } = (value ?? {}) as Partial<Draft>;
  return typeof text === "string" && typeof checksum === "string";
}
