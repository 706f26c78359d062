/** Unsaved text, stored in the browser, so that a reload, another place or a closed tab loses nothing. */
export interface Draft {
  readonly text: string;
  /** The checksum of the version that was edited; empty for a new text. */
  readonly checksum: string;
}

const PREFIX = "continuo.draft.";
/** Drafts that the browser had no space for; they last until the page is closed. */
const large = new Map<string, Draft>();

/** `of`: a note's address, a file's path, or a chat. */
export function readDraft(of: string): Draft | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(PREFIX + of) ?? "null");
    return large.get(of) ?? (isDraft(kept) ? kept : undefined);
  } catch {
    return large.get(of); // no storage, or not ours
  }
}

/** Returns whether the draft survives a reload: a browser may have no space for a long text. */
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

/** With `text`, only if that is the stored text: another tab may have unsaved changes of the same file. */
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
