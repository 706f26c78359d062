import type { Change } from "../hosts/wire.ts";

/** A file without line ends would be shown as a whole, twice. */
const MAX_LINE = 300;

/** A unified diff. The library is loaded only when there is something to show. */
export async function showDiff({ file, before = "", after = "" }: Change): Promise<string> {
  const { createTwoFilesPatch } = await import("diff");
  const show = withoutTheirs(before, after);
  return createTwoFilesPatch(file, file, before, after, "before", "after", { context: 2 })
    .replace(/^(Index:.*\n)?=+\n/, "")
    .trimEnd()
    .split("\n")
    .map((line) => (line.length > MAX_LINE ? `${show(line.slice(0, MAX_LINE))}…` : show(line)))
    .join("\n");
}

/** The last one may be cut. */
const STRING = /"(?:[^"\\]|\\.)*(?:"|$)|'[^']*(?:'|$)/g;

/**
 * What stays as it is may be a password, such as one in the environment of another MCP server, and a diff ends up on
 * screens and in the transcripts of agents. So of lines that stay only the keys are shown.
 */
function withoutTheirs(before: string, after: string): (line: string) => string {
  const bare = (line: string) => line.trim().replace(/,$/, "");
  const old = new Set(before.split("\n").map(bare));
  const kept = new Set(
    after
      .split("\n")
      .map(bare)
      .filter((line) => old.has(line)),
  );
  const isOneLine = !before.trim().includes("\n");
  return (line) => {
    if (!isOneLine && !kept.has(bare(line.slice(1)))) return line;
    return line.replace(STRING, (text, at: number) => {
      const isKey = /^\s*[:=]/.test(line.slice(at + text.length));
      return isKey || !before.includes(text) || !after.includes(text) ? text : '"…"';
    });
  };
}
