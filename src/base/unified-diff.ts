/**
 * An edit is shown whole, even in a file of one line. Only a line too long for anyone to read is cut, and is marked as
 * cut.
 */
const MAX_CHANGED = 20_000;
/** Lines around the edit only show where it is, so they are cut earlier. */
const MAX_OTHER = 300;

/** A unified diff of two texts, with nothing hidden. The library is loaded only if there is a difference. */
export async function unifiedDiff(file: string, before: string, after: string): Promise<string> {
  const { createTwoFilesPatch } = await import("diff");
  return createTwoFilesPatch(file, file, before, after, "before", "after", { context: 3 })
    .replace(/^(Index:.*\n)?=+\n/, "")
    .trimEnd()
    .split("\n")
    .map(shorten)
    .join("\n");
}

function shorten(line: string): string {
  const isChanged = line.startsWith("+") || line.startsWith("-");
  const most = isChanged ? MAX_CHANGED : MAX_OTHER;
  if (line.length <= most) return line;
  const rest = isChanged ? ` (${line.length - most} more characters of this line are not shown)` : "";
  return `${line.slice(0, most)}…${rest}`;
}
