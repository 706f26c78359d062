import type { Change } from "../../hosts/shared/install/wire.ts";

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
 * screens and in the transcripts of agents. So of texts that are in the file before and after only the keys are shown, on
 * whatever line they end up. Words that every such file has stay readable.
 */
function withoutTheirs(before: string, after: string): (line: string) => string {
  return (line) =>
    line.replace(STRING, (text, at: number) => {
      const isKey = /^\s*[:=]/.test(line.slice(at + text.length));
      const stays = before.includes(text) && after.includes(text);
      return isKey || !stays || COMMON.has(text) ? text : '"…"';
    });
}

const COMMON = new Set(['"command"', '"stdio"', '"local"', '"continuo"']);
