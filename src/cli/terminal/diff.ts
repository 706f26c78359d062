import type { Change } from "../../hosts/shared/install/wire.ts";

/** An edit is shown whole, also in a file of one line; only a line that nobody would read is cut, and says so. */
const MAX_CHANGED = 20_000;
/** Lines around the edit only show where it is. */
const MAX_OTHER = 300;
/** Shown for a value that stays. */
const HIDDEN = '"…"';

/** Said beside a diff in which values are hidden; nothing to say otherwise. */
export function aboutHidden(diff: string): string | undefined {
  return diff.includes(HIDDEN)
    ? `Values that do not change are shown as ${HIDDEN}, because they may be passwords. They stay as they are.`
    : undefined;
}

/** A unified diff. The library is loaded only when there is something to show. */
export async function showDiff({ file, before = "", after = "" }: Change): Promise<string> {
  const { createTwoFilesPatch } = await import("diff");
  const show = withoutUnchangedValues(before, after);
  return createTwoFilesPatch(file, file, before, after, "before", "after", { context: 2 })
    .replace(/^(Index:.*\n)?=+\n/, "")
    .trimEnd()
    .split("\n")
    .map((line) => shorten(line, show))
    .join("\n");
}

function shorten(line: string, show: (line: string) => string): string {
  const isChanged = line.startsWith("+") || line.startsWith("-");
  const most = isChanged ? MAX_CHANGED : MAX_OTHER;
  if (line.length <= most) return show(line);
  const rest = isChanged ? ` (${line.length - most} more characters of this line are not shown)` : "";
  return `${show(line.slice(0, most))}…${rest}`;
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
      return isKey || !stays || COMMON.has(text) ? text : HIDDEN;
    });
}

const COMMON = new Set(['"command"', '"stdio"', '"local"', '"continuo"']);
