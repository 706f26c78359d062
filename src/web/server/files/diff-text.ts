import type { DiffFile } from "../../api/files.ts";

/** How much one call of git may write, and how much a page gets. */
export const MAX_DIFF_BYTES = 1024 * 1024;
/** If not all files fit, each gets an equal share, but at least this much. */
const LEAST_BYTES = 16 * 1024;
/** If git is stopped in a large file, another call handles the files after it. */
const MOST_CALLS = 8;

interface Written {
  readonly out: string;
  /** Whether git was stopped because it wrote more than `MAX_DIFF_BYTES`. */
  readonly isFull: boolean;
}

/**
 * The diff of some files as one text. If it is too long, every file is cut to its share, so that a large one does not
 * hide the others.
 */
export async function textOf(
  files: readonly DiffFile[],
  diff: (files: readonly DiffFile[]) => Promise<Written>,
): Promise<{ text: string; isCut: boolean }> {
  const parts: string[] = [];
  let isCut = false;
  let rest = files;
  for (let calls = 0; rest.length > 0 && calls < MOST_CALLS; calls++) {
    const { out, isFull } = await diff(rest);
    const found = partsOf(isFull ? out.slice(0, out.lastIndexOf("\n") + 1) : out);
    parts.push(...found);
    isCut ||= isFull;
    rest = isFull ? rest.slice(Math.max(1, found.length)) : [];
  }
  if (!isCut) return { text: parts.join(""), isCut };
  const share = Math.max(LEAST_BYTES, Math.floor(MAX_DIFF_BYTES / Math.max(1, parts.length)));
  let room = MAX_DIFF_BYTES;
  const text = parts
    .map((part) => {
      const shown = wholeLines(part, Math.min(share, room));
      room -= shown.length;
      return shown;
    })
    .join("");
  return { text, isCut };
}

/** Splits a diff by file. Content never begins like this, because its lines have a sign in front. */
function partsOf(text: string): string[] {
  return text === "" ? [] : text.split(/^(?=diff --git )/m);
}

function wholeLines(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, text.lastIndexOf("\n", most - 1) + 1);
}
