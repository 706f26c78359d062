/** Aligned columns with two spaces between them; the last column is not padded. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  // A name may contain a line break and must not look like another row.
  const all = [head, ...rows].map((row) => row.map((cell) => cell.replace(/[\n\r\u2028\u2029]+/g, " ")));
  const widths = head.map((_, column) => Math.max(...all.map((row) => widthOf(row[column] ?? ""))));
  return all
    .map((row) =>
      `  ${row.map((cell, column) => (column === row.length - 1 ? cell : padTo(cell, widths[column] ?? 0))).join("  ")}`.trimEnd(),
    )
    .join("\n");
}

/** The line below a table that was cut. */
export function footer(shown: number, total: number): string {
  return `Showing ${shown} of ${total}. Use --limit.`;
}

/** `1 note`, `2 notes`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** How many columns a text takes on a terminal: East Asian characters and most emoji two, combining marks none. */
export function widthOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += NONE.test(character) ? 0 : TWO.test(character) ? 2 : 1;
  return width;
}

export function padTo(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

const NONE = /[\p{Mn}\p{Me}\p{Cf}]/u;
const TWO =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
