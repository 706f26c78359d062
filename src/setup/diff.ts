import { unifiedDiff } from "../base/unified-diff.ts";
import { settingValues } from "../hosts/shared/install/setting-values.ts";
import { withoutMark } from "../hosts/shared/install/settings-file.ts";
import type { Change } from "../hosts/shared/install/wire.ts";

/** Shown instead of a value that stays the same. */
const HIDDEN = '"…"';

/** The note beside a diff in which values are hidden; undefined if none are. */
export function aboutHidden(diff: string): string | undefined {
  if (!diff.includes(HIDDEN)) return undefined;
  const about = `Your own values and comments are shown as ${HIDDEN}, because they may be passwords.`;
  // Values that the user added to Continuo's entry are removed with the entry.
  return hiddenIn(diff, "-") > hiddenIn(diff, "+") ? about : `${about} They stay as they are.`;
}

function hiddenIn(diff: string, sign: "+" | "-"): number {
  const lines = diff.split("\n").filter((line) => line.startsWith(sign));
  return lines.join("\n").split(HIDDEN).length - 1;
}

/** A unified diff of an edit of settings, with the user's own values hidden. */
export function showDiff({ file, before = "", after = "" }: Change): Promise<string> {
  return unifiedDiff(file, ...withoutOwnValues(file, withoutMark(before), withoutMark(after)));
}

/**
 * A user's value may be a password, for example in the environment of another MCP server, and a diff ends up on screens
 * and in agents' transcripts. So before the texts are compared, this hides each value that both texts have at the same
 * keys, and all comments, environments and headers, because Continuo writes none of these. Of removed values, it shows
 * only those that Continuo writes, because the user may have added others to Continuo's entry.
 */
function withoutOwnValues(file: string, before: string, after: string): [string, string] {
  const [old, now] = [pieces(file, before), pieces(file, after)];
  const [inOld, inNow] = [new Set(old.map(({ id }) => id)), new Set(now.map(({ id }) => id))];
  const isOwn = ({ id, kind, text, keys }: Piece) =>
    kind === "comment" ||
    keys.some((key) => PRIVATE.test(key)) ||
    (inOld.has(id) && !COMMON.test(text) && (inNow.has(id) || !isWritten({ text, keys })));
  return [hide(before, old.filter(isOwn)), hide(after, now.filter(isOwn))];
}

const PRIVATE = /^(env|environment|headers|http_headers|env_http_headers|bearer_token)$/i;

/** What every such file contains, and what is too short for a password. */
const COMMON = /^(?:"(?:command|stdio|local|continuo)"|true|false|null|-?\d{1,5})$/;

/** Keys of Continuo's entries whose values Continuo writes, other than its name and paths. */
const WRITTEN = /^(command|args|type|server|tool|tools|bash|powershell|source)$/;
/** An environment variable that the user put before a command. */
const ASSIGNMENT = /^["']?[A-Za-z_]\w*=/;

function isWritten({ text, keys }: Pick<Piece, "text" | "keys">): boolean {
  if (ASSIGNMENT.test(text)) return false;
  return keys.includes("input") || WRITTEN.test(keys.at(-1) ?? "") || /(^|[/\\"_])continuo/.test(text);
}

type Piece = ReturnType<typeof pieces>[number];

function pieces(file: string, text: string) {
  return settingValues(file, text).map((one) => {
    const shown = text.slice(one.start, one.end);
    return { ...one, text: shown, id: JSON.stringify([one.keys, shown]) };
  });
}

/** A hidden value keeps its number of lines, so that the line numbers in the diff are those of the file. */
function hide(text: string, hidden: readonly Piece[]): string {
  let [result, done] = ["", 0];
  for (const { start, end, text: shown } of hidden) {
    result += text.slice(done, start) + shown.replaceAll(/[^\r\n]+/g, HIDDEN);
    done = end;
  }
  return result + text.slice(done);
}
