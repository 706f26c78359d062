import { countTokens } from "../../../compose/tokens.ts";
import { type Origin, originOf } from "../indexing/lineage.ts";
import { citedLine, day, label, oneLine } from "../labels.ts";
import type { Citation } from "../quotes.ts";
import { EXTRACTED, type SessionRecord } from "../records/files.ts";
import type { PastSession } from "../session.ts";

export interface CardParts {
  readonly session: PastSession;
  readonly record: SessionRecord | undefined;
  readonly question?: string;
  readonly cited: readonly Citation[];
  readonly ancestors: readonly {
    readonly session: PastSession;
    readonly record: SessionRecord | undefined;
  }[];
  /** Hard limit: what does not fit is dropped, beginning with the end of the summary. */
  readonly tokens: number;
}

const CAME: Record<Origin["how"], string> = {
  "subagent of": "was a subagent of",
  "fork of": "began as a fork of",
  continues: "continues",
};
const LONGEST_DESCRIPTION = 500;
const MOST_LISTED = 12;
const LONGEST_LISTED = 100;

/**
 * Describes a session for another one. The most important lines come first, so that they are kept if there is little
 * space; the summary gets the remaining tokens.
 */
export function sessionCard(parts: CardParts): string {
  const { session, record } = parts;
  const lines: string[] = [];
  let left = parts.tokens;
  const add = (line: string): boolean => {
    const cost = countTokens(line) + 1;
    if (line === "" || cost > left) return false;
    left -= cost;
    lines.push(line);
    return true;
  };
  add(head(session));
  const more = `For anything else call query_session with session "${oneLine(session.id, 200)}".`;
  left -= countTokens(more) + 1;
  if (parts.question !== undefined) {
    add(
      parts.cited.length === 0
        ? `On "${oneLine(parts.question, 200)}" nothing was found in it.`
        : `On "${oneLine(parts.question, 200)}" it has:`,
    );
    for (const { excerpt, ...turn } of parts.cited) add(`- ${citedLine(turn, excerpt)}`);
  }
  const summary = summaryLines(record?.summary ?? "");
  const about = [...cameFrom(parts), listed("Files", record?.continuo?.files)];
  // The description of an extracted record repeats the summary, so it is shown only if the summary is cut.
  const isWhole = summary.length > 0 && costOf([...about, ...summary]) <= left;
  if (record?.model !== EXTRACTED || !isWhole) add(oneLine(record?.description ?? "", LONGEST_DESCRIPTION));
  for (const line of about) add(line);
  // Whole lines, up to the first that does not fit: a later one may be misleading without it.
  for (const line of summary) if (!add(line)) break;
  if (lines.at(-1)?.startsWith("## ")) lines.pop();
  return [...lines, more].join("\n");
}

function cameFrom({ session, ancestors }: CardParts): string[] {
  return ancestors.map((one, at) => {
    const from = originOf(ancestors[at - 1]?.session ?? session)?.how ?? "fork of";
    const start = `${at === 0 ? "It" : "That one"} ${CAME[from]} ${label(one.session)}`;
    return `${start}:  ${oneLine(one.record?.description ?? "", LONGEST_DESCRIPTION)}`;
  });
}

function head({ name, host, id, started, modified, branch, label: project }: PastSession): string {
  const days = day(started) === day(modified) ? day(modified) : `${day(started)} to ${day(modified)}`;
  const where = [
    ...(project === undefined ? [] : [`project ${oneLine(project, 60)}`]),
    ...(branch === undefined ? [] : [`branch ${oneLine(branch, 60)}`]),
  ];
  return `"${oneLine(name, 120)}": session ${oneLine(id, 200)} of ${host}, ${[days, ...where].join(", ")}.`;
}

function listed(title: string, values: readonly string[] = []): string {
  if (values.length === 0) return "";
  const shown = values.slice(0, MOST_LISTED).map((value) => oneLine(value, LONGEST_LISTED));
  const rest = values.length - shown.length;
  return `${title}: ${shown.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

const costOf = (lines: readonly string[]): number =>
  lines.reduce((cost, line) => cost + (line === "" ? 0 : countTokens(line) + 1), 0);

/** Without the files, which are already listed, and without turn ids, each of which costs as much as a sentence. */
function summaryLines(summary: string): string[] {
  return summary
    .replace(/^## Files\n(?:- .*(?:\n|$))*/m, "")
    .split("\n")
    .map((line) => line.replace(/ \[[^\s\]]{6,}\]$/, ""))
    .filter((line) => line.trim() !== "");
}
