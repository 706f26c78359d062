import type { Hunk } from "../../../moments/tool-use.ts";

/** Longer texts are not compared: every line of the new one counts as added. */
const MOST_COMPARED = 4_000_000;

/**
 * The lines of a new text that the replaced text does not contain. A changed line counts as added; a moved line does
 * not. Takes time proportional to the texts' length.
 */
export function addedHunks(before: string, after: string): Hunk[] {
  if (before === after) return [];
  if (before === "" || before.length + after.length > MOST_COMPARED) return wholeText(after);
  const [old, lines] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < old.length && start < lines.length && old[start] === lines[start]) start++;
  let [oldEnd, end] = [old.length, lines.length];
  while (oldEnd > start && end > start && old[oldEnd - 1] === lines[end - 1]) {
    oldEnd--;
    end--;
  }
  return withoutMoved(old.slice(start, oldEnd), [{ lines: lines.slice(start, end) }]);
}

/** All lines of a text, if any. Only the text of a whole file has line numbers. */
export function wholeText(text: string, line?: number): Hunk[] {
  const lines = text.replaceAll("\r\n", "\n").replace(/\n$/, "");
  return lines === "" ? [] : [{ text: lines, line }];
}

/** Consecutive lines of the new text. */
export interface NewLines {
  readonly lines: readonly string[];
  /** The first line's number in the file. */
  readonly line?: number | undefined;
}

/** New lines, minus one occurrence of each line that was removed elsewhere. */
export function withoutMoved(removed: readonly string[], added: readonly NewLines[]): Hunk[] {
  const left = new Map<string, number>();
  for (const line of removed) left.set(line, (left.get(line) ?? 0) + 1);
  const hunks: Hunk[] = [];
  for (const { lines, line } of added) {
    let run: string[] = [];
    const close = (end: number) => {
      const text = run.join("\n");
      if (text !== "") hunks.push({ text, ...(line === undefined ? {} : { line: line + end - run.length }) });
      run = [];
    };
    lines.forEach((text, index) => {
      const count = left.get(text) ?? 0;
      if (count === 0) run.push(text);
      else {
        left.set(text, count - 1);
        close(index);
      }
    });
    close(lines.length);
  }
  return hunks;
}

function linesOf(text: string): string[] {
  return text.replaceAll("\r\n", "\n").split("\n");
}
