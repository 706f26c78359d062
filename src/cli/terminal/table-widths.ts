import type { Columns } from "../../moments/ports/view.ts";

const INDENT = 2;
const GAP = 2;
/** A flexible column keeps this much before an optional one is left out. */
const COMFORTABLE = 24;
/** And this much before the columns that should not be cut are cut as well. */
const READABLE = 6;

/** The width of each column; undefined for one that is left out. */
export function fitted(natural: readonly number[], screen: number, columns: Columns): (number | undefined)[] {
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
  // More columns than the screen can have: the last ones are left out.
  for (let column = all.length - 1; column > 0 && excess() > 0; column--) widths[column] = undefined;
  return widths;
}

function totalOf(widths: readonly (number | undefined)[]): number {
  const present = widths.filter((width) => width !== undefined);
  return present.reduce((sum, width) => sum + width, INDENT + GAP * Math.max(0, present.length - 1));
}

/** Takes this many columns away from the widest of these, so that they end up equally wide; none gets narrower than `least`. */
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
  // By halves: a cell may be a million characters wide.
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
