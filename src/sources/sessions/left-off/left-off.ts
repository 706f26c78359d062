import { isRecord } from "../../../base/json.ts";
import { typed } from "../../../base/settings.ts";
import { timeAgo } from "../../../base/when.ts";
import type { Section } from "../../../compose/section.ts";
import type { Answer, SourceContext } from "../../../moments/ports/source.ts";
import { findProject } from "../../../moments/project.ts";
import type { CompactedMoment, StartMoment } from "../../../moments/types.ts";
import { priorityOf } from "../../order.ts";
import { oneLine } from "../labels.ts";
import { SESSIONS_SETTINGS } from "../settings.ts";
import { type FoundSession, findLastSessions } from "./find.ts";
import { lastSessionsLines, TITLE } from "./lines.ts";
import { uncommittedAmong } from "./uncommitted.ts";

/** What is kept in the memo: after a compaction the same text is delivered again. */
interface LeftOff {
  readonly lines: readonly string[];
  /** The first session's name and time, for the line that the user sees. */
  readonly name: string;
  readonly at: number;
}

const LONGEST_NAME = 60;

/** The last sessions of this project, as they were when this session began. */
export async function whereWeLeftOff(moment: StartMoment, context: SourceContext): Promise<Answer> {
  const limit = typed(SESSIONS_SETTINGS, context.settings).lastSessions;
  const found = workFirst(await findLastSessions(moment, context, limit));
  const [first] = found;
  if (first === undefined) return {};
  const lines = lastSessionsLines(found, await uncommittedOf(first, moment), moment.at);
  const leftOff: LeftOff = { lines, name: oneLine(first.name || first.id, LONGEST_NAME), at: first.at };
  return {
    sections: [sectionOf(leftOff, moment.at)],
    remember: (memo) => ({ ...(isRecord(memo) ? memo : {}), leftOff }),
  };
}

/** A question in between does not hide the work: the newest session with tool calls comes first. */
function workFirst(found: readonly FoundSession[]): FoundSession[] {
  const first = found.find(({ ending }) => ending.isWork) ?? found[0];
  return first === undefined ? [] : [first, ...found.filter((one) => one !== first)];
}

/** The same lines as at the start. */
export function leftOffAgain({ at }: CompactedMoment, memo: unknown): Answer {
  const kept: unknown = isRecord(memo) ? memo["leftOff"] : undefined;
  return isLeftOff(kept) ? { sections: [sectionOf(kept, at)] } : {};
}

function isLeftOff(value: unknown): value is LeftOff {
  return (
    isRecord(value) &&
    Array.isArray(value["lines"]) &&
    value["lines"].every((line) => typeof line === "string") &&
    typeof value["name"] === "string" &&
    typeof value["at"] === "number"
  );
}

function sectionOf({ lines, name, at }: LeftOff, now: number): Section {
  return {
    source: "sessions",
    title: TITLE,
    nature: "reference",
    priority: priorityOf("last sessions"),
    essential: false,
    layout: "lines",
    items: lines.map((text, i) => ({
      key: `left-off/${i}`,
      name: i === 0 ? "last session" : "earlier session",
      text,
      reason: "the last sessions of this project",
      priority: -i,
    })),
    summary: () => `last session "${name}" ${timeAgo(at, now)}`,
  };
}

/** Only where that session worked in the same folder: another worktree has other files under the same names. */
async function uncommittedOf({ cwd, edited }: FoundSession, { project }: StartMoment): Promise<string[]> {
  if (cwd === undefined || edited.length === 0) return [];
  return findProject(cwd).root === project.root ? uncommittedAmong(project.root, edited) : [];
}
