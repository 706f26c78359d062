import type { Columns } from "../../moments/ports/view.ts";
import { paintedLines, paintFor } from "./paint.ts";
import { PLAIN, type Screen } from "./screen.ts";
import { breakWords, clipStart, clipTo, markOf, onOneLine, padTo, widthOf } from "./width.ts";
import { wrap } from "./wrap.ts";

export { padTo, widthOf } from "./width.ts";

/**
 * Aligned columns with two spaces between them; the last column is not padded. On a terminal no line is wider than the
 * screen: `columns` says which columns are cut, wrapped or left out. Elsewhere everything is shown, because a program
 * may read it.
 */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  screen: Screen = PLAIN,
  columns: Columns = {},
): string {
  // A name may contain a line break, but must not look like another row.
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

/** A longer text is cut, because it would fill the screen. */
const MOST_LINES = 6;

function cellLines(cell: string, width: number, { mark, isWrapped, keepsEnd }: How): string[] {
  if (widthOf(cell) <= width) return [cell];
  if (!isWrapped) return [keepsEnd ? clipStart(cell, width, mark) : clipTo(cell, width, mark)];
  // Only the beginning of a long text is wrapped, so that a huge one takes no time.
  const short = breakWords(clipTo(cell, width * MOST_LINES, mark), width);
  const lines = paintedLines(wrap(short, { width, hang: 0 }));
  const kept = lines.slice(0, MOST_LINES).map((line) => clipTo(line, width, mark));
  if (lines.length > MOST_LINES) kept[MOST_LINES - 1] = clipTo(`${kept.at(-1) ?? ""} ${mark}`, width, mark);
  return kept;
}

const INDENT = 2;
const GAP = 2;
/** A flexible column is not cut below this width before an optional one is left out. */
const COMFORTABLE = 24;
/** Nor below this width before other columns are cut as well. */
const READABLE = 6;

/** The width of each column; undefined for one that is left out. */
function fitted(natural: readonly number[], screen: number, columns: Columns): (number | undefined)[] {
  const { flexible, wraps = [], keepEnd = [], optional = [] } = columns;
  const named = [...new Set([flexible ?? [], wraps, keepEnd].flat())];
  const widest = natural.indexOf(Math.max(...natural));
  const mayShrink = named.length > 0 ? named : [widest];
  const widths: (number | undefined)[] = [...natural];
  const excess = () => totalOf(widths) - screen;

  const shrink = (which: readonly number[], least: number) => {
    const present = which.filter((column) => (widths[column] ?? 0) > least);
    takeFrom(widths, present, excess(), least);
  };
  const comfortable = (): number =>
    mayShrink.reduce(
      (sum, column) => sum + Math.max(0, (widths[column] ?? 0) - Math.min(widths[column] ?? 0, COMFORTABLE)),
      0,
    );
  for (const column of optional) {
    if (excess() <= comfortable()) break;
    widths[column] = undefined;
  }
  shrink(mayShrink, COMFORTABLE);
  shrink(mayShrink, READABLE);
  const all = natural.map((_, column) => column);
  shrink(all, READABLE);
  shrink(all, 1);
  // More columns than fit on the screen: the last ones are left out.
  for (let column = all.length - 1; column > 0 && excess() > 0; column--) widths[column] = undefined;
  return widths;
}

function totalOf(widths: readonly (number | undefined)[]): number {
  const present = widths.filter((width) => width !== undefined);
  return present.reduce((sum, width) => sum + width, INDENT + GAP * Math.max(0, present.length - 1));
}

/**
 * Reduces these columns by this many characters in total, widest first, so that they end up equally wide; none gets
 * narrower than `least`.
 */
function takeFrom(
  widths: (number | undefined)[],
  which: readonly number[],
  tooMany: number,
  least: number,
): void {
  if (tooMany <= 0 || which.length === 0) return;
  const sizes = which.map((column) => widths[column] ?? 0);
  const kept = (most: number) => sizes.reduce((sum, size) => sum + Math.min(size, most), 0);
  const aim = kept(Number.POSITIVE_INFINITY) - tooMany;
  let most = Math.max(...sizes);
  // Binary search, because a cell may be a million characters wide.
  for (let low = least, high = most; low <= high; ) {
    const middle = Math.floor((low + high) / 2);
    most = middle;
    if (kept(middle) > aim) high = middle - 1;
    else low = middle + 1;
  }
  while (most > least && kept(most) > aim) most--;
  let spare = Math.max(0, aim - kept(most));
  for (const column of which) {
    const size = widths[column] ?? 0;
    const width = Math.min(size, most);
    const more = size > width && spare > 0 ? 1 : 0;
    spare -= more;
    widths[column] = width + more;
  }
}
