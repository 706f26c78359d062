import type { Change } from "../../hosts/shared/install/wire.ts";

/** A file without line breaks would be shown in full, twice. */
const MAX_LINE = 300;

/** A unified diff. The library is loaded only when there is something to show. */
export async function showDiff({ file, before = "", after = "" }: Change): Promise<string> {
  const { createTwoFilesPatch } = await import("diff");
  const show = withoutUnchangedValues(before, after);
  return createTwoFilesPatch(file, file, before, after, "before", "after", { context: 2 })
    .replace(/^(Index:.*\n)?=+\n/, "")
    .trimEnd()
    .split("\n")
    .map((line) => (line.length > MAX_LINE ? `${show(line.slice(0, MAX_LINE))}…` : show(line)))
    .join("\n");
}

/** The last string of a line may be cut. */
const STRING = /"(?:[^"\\]|\\.)*(?:"|$)|'[^']*(?:'|$)/g;

/**
 * An unchanged value may be a password, for example in the environment of another MCP server, and a diff ends up on screens
 * and in transcripts of agents. So a string that is in the file before and after is hidden, unless it is a key or a word
 * that every such file has.
 */
function withoutUnchangedValues(before: string, after: string): (line: string) => string {
  return (line) =>
    line.replace(STRING, (text, at: number) => {
      const isKey = /^\s*[:=]/.test(line.slice(at + text.length));
      const stays = before.includes(text) && after.includes(text);
      return isKey || !stays || COMMON.has(text) ? text : '"…"';
    });
}

const COMMON = new Set(['"command"', '"stdio"', '"local"', '"continuo"']);
