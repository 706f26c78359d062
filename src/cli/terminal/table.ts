import { padTo, widthOf } from "./width.ts";

/** Aligned columns with two spaces between them; the last column is not padded. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  // A name may hold a line end, and must not pose as a row.
  const all = [head, ...rows].map((row) => row.map((cell) => cell.replace(/[\n\r\u2028\u2029]+/g, " ")));
  const widths = head.map((_, column) => Math.max(...all.map((row) => widthOf(row[column] ?? ""))));
  return all
    .map((row) =>
      `  ${row.map((cell, column) => (column === row.length - 1 ? cell : padTo(cell, widths[column] ?? 0))).join("  ")}`.trimEnd(),
    )
    .join("\n");
}
