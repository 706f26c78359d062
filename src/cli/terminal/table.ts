import type { Columns } from "../../moments/ports/view.ts";
import { paintedLines, paintFor } from "./paint.ts";
import { PLAIN, type Screen } from "./screen.ts";
import { fitted } from "./table-widths.ts";
import { breakWords, clipStart, clipTo, markOf, onOneLine, padTo, widthOf } from "./width.ts";
import { wrap } from "./wrap.ts";

export { padTo, widthOf } from "./width.ts";

/**
 * Aligned columns with two spaces between them; the last column is not padded. On a terminal no line is wider than the
 * screen: `columns` says which ones are cut, wrapped or left out. Elsewhere everything is shown, because a program may
 * read it.
 */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  screen: Screen = PLAIN,
  columns: Columns = {},
): string {
  // A name may contain a line break and must not look like another row.
  const all = [head, ...rows].map((row) => head.map((_, column) => onOneLine(row[column] ?? "")));
  const natural = head.map((_, column) =>
    all.reduce((most, row) => Math.max(most, widthOf(row[column] ?? "")), 0),
  );
  const widths = screen.isFitted ? fitted(natural, screen.width, columns) : natural;
  const shown = head.map((_, column) => column).filter((column) => widths[column] !== undefined);
  const paint = paintFor(screen);
  return all
    .flatMap((row, at) => {
      const cells = shown.map((column) => {
        const lines = cellLines(row[column] ?? "", widths[column] ?? 0, {
          mark: markOf(screen),
          isWrapped: columns.wraps?.includes(column) === true,
          keepsEnd: columns.keepEnd?.includes(column) === true,
        });
        return at === 0 ? lines.map((line) => paint("bold", line)) : lines;
      });
      const height = Math.max(1, ...cells.map((lines) => lines.length));
      return Array.from({ length: height }, (_, line) =>
        lineOf(
          cells.map((lines) => lines[line] ?? ""),
          shown.map((column) => widths[column] ?? 0),
        ),
      );
    })
    .join("\n");
}

function lineOf(cells: readonly string[], widths: readonly number[]): string {
  const last = cells.findLastIndex((cell) => cell !== "");
  const padded = cells
    .slice(0, last + 1)
    .map((cell, at) => (at === last ? cell : padTo(cell, widths[at] ?? 0)));
  return padded.length === 0 ? "" : `  ${padded.join("  ")}`.trimEnd();
}

interface How {
  readonly mark: string;
  readonly isWrapped: boolean;
  readonly keepsEnd: boolean;
}

/** A longer text is no cell of a table any more: it would fill the screen. */
const MOST_LINES = 6;

function cellLines(cell: string, width: number, { mark, isWrapped, keepsEnd }: How): string[] {
  if (widthOf(cell) <= width) return [cell];
  if (!isWrapped) return [keepsEnd ? clipStart(cell, width, mark) : clipTo(cell, width, mark)];
  // Only a part of a long text is wrapped, so that a huge one takes no time.
  const short = breakWords(clipTo(cell, width * MOST_LINES, mark), width);
  const lines = paintedLines(wrap(short, { width, hang: 0 }));
  const kept = lines.slice(0, MOST_LINES).map((line) => clipTo(line, width, mark));
  if (lines.length > MOST_LINES) kept[MOST_LINES - 1] = clipTo(`${kept.at(-1) ?? ""} ${mark}`, width, mark);
  return kept;
}

/** The line below a table that was cut. */
export function footer(shown: number, total: number): string {
  return `Showing ${shown} of ${total}. Use --limit.`;
}

/** `1 note`, `2 notes`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
