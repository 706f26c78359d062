/** Texts that were changed and not saved, by file. They survive another view, and a reload of the page. */
export interface Draft {
  readonly text: string;
  /** Of the file that was changed. */
  readonly checksum: string;
}

const PREFIX = "continuo.draft:";
const drafts = new Map<string, Draft>();

export function draftOf(path: string): Draft | undefined {
  const here = drafts.get(path);
  if (here !== undefined) return here;
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(PREFIX + path) ?? "null");
    return isDraft(stored) ? stored : undefined;
  } catch {
    return undefined; // no storage, or not ours
  }
}

export function keepDraft(path: string, draft: Draft | undefined): void {
  if (draft === undefined) drafts.delete(path);
  else drafts.set(path, draft);
  try {
    if (draft === undefined) sessionStorage.removeItem(PREFIX + path);
    else sessionStorage.setItem(PREFIX + path, JSON.stringify(draft));
  } catch {
    // Too large for the storage: it lasts as long as the page.
  }
}

function isDraft(value: unknown): value is Draft {
  return (
    typeof value === "object" &&
    value !== null &&
    "text" in value &&
    typeof value.text === "string" &&
    "checksum" in value &&
    typeof value.checksum === "string"
  );
}
