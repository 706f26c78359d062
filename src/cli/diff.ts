import type { Change } from "../hosts/wire.ts";

/** A file without line ends would be shown as a whole, twice. */
const MAX_LINE = 300;

/** A unified diff. The library is loaded only when there is something to show. */
export async function showDiff(change: Change): Promise<string> {
  const { createTwoFilesPatch } = await import("diff");
  const name = change.file;
  return createTwoFilesPatch(name, name, change.before ?? "", change.after ?? "", "before", "after", {
    context: 2,
  })
    .replace(/^(Index:.*\n)?=+\n/, "")
    .trimEnd()
    .split("\n")
    .map((line) => (line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line))
    .join("\n");
}
