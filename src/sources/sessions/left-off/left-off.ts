import { describeError } from "../../../base/errors.ts";
import { isRecord } from "../../../base/json.ts";
import { typed } from "../../../base/settings.ts";
import { timeAgo } from "../../../base/when.ts";
import type { Section } from "../../../compose/section.ts";
import type { Answer, SourceContext } from "../../../moments/ports/source.ts";
import { findProject } from "../../../moments/project.ts";
import type { CompactedMoment, StartMoment } from "../../../moments/types.ts";
import { homeAt } from "../../../store/home.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import { priorityOf } from "../../order.ts";
import { oneLine } from "../labels.ts";
import { SESSIONS_SETTINGS } from "../settings.ts";
import { findCandidates } from "./find.ts";
import { openToRead } from "./indexed.ts";
import type { ReadSession } from "./read-sessions.ts";

/** What is kept in the memo: after a compaction the same text is delivered again. */
interface LeftOff {
  readonly lines: readonly string[];
  /** The first session's name and time, for the line that the user sees. */
  readonly name: string;
  readonly at: number;
}

const LONGEST_NAME = 60;

/** Sessions that are read besides: some turn out to be trivial, or older than their files. */
const SPARE = 5;
/** Of the deadline: when finding ends, and when reading ends. The rest is for git and for what was begun. */
const FIND_SHARE = 0.25;
const READ_SHARE = 0.5;

/** The last sessions of this project, as they were when this session began. */
export async function whereWeLeftOff(moment: StartMoment, context: SourceContext): Promise<Answer> {
  const limit = typed(SESSIONS_SETTINGS, context.settings).lastSessions;
  const found = workFirst(await lastSessions(moment, context, limit));
  const [first] = found;
  if (first === undefined) return {};
  const uncommitted = await uncommittedOf(first, moment);
  const { lastSessionsLines } = await import("./lines.ts");
  const lines = lastSessionsLines(found, uncommitted, moment.at);
  const leftOff: LeftOff = { lines, name: oneLine(first.name || first.id, LONGEST_NAME), at: first.at };
  return {
    sections: [sectionOf(leftOff, moment.at)],
    remember: (memo) => ({ ...(isRecord(memo) ? memo : {}), leftOff }),
  };
}

/** A question in between does not hide the work: the newest session with tool calls comes first. */
function workFirst(found: readonly ReadSession[]): ReadSession[] {
  const first = found.find(({ ending }) => ending.isWork) ?? found[0];
  return first === undefined ? [] : [first, ...found.filter((one) => one !== first)];
}

/** What reads texts is loaded only if the project has sessions. */
async function lastSessions(
  moment: StartMoment,
  context: SourceContext,
  limit: number,
): Promise<ReadSession[]> {
  const history = await context.history();
  const db = await indexIfUsable(context);
  const begun = Date.now();
  const after = (share: number) => (): boolean =>
    context.signal.aborted || Date.now() > begun + context.deadlineMs * share;
  try {
    const finding = { history, db, isOver: after(FIND_SHARE) };
    const candidates = findCandidates(moment, context, finding, limit + SPARE);
    if (candidates.length === 0) return [];
    const { readSessions } = await import("./read-sessions.ts");
    return await readSessions(candidates, { history, db, isOver: after(READ_SHARE) }, limit);
  } finally {
    db?.close();
  }
}

async function indexIfUsable({ home, report }: SourceContext): Promise<Database | undefined> {
  try {
    return await openToRead(homeAt(home));
  } catch (error) {
    report("index-unreadable", describeError(error).message);
    return undefined;
  }
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
    // What follows was so then: the text stays while these things change.
    title: "Last sessions when this one began (query_session tells more)",
    nature: "reference",
    priority: priorityOf("last sessions"),
    essential: false,
    layout: "lines",
    isChoice: true,
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
async function uncommittedOf({ cwd, edited }: ReadSession, { project }: StartMoment): Promise<string[]> {
  if (cwd === undefined || edited.length === 0) return [];
  if (findProject(cwd).root !== project.root) return [];
  const { uncommittedAmong } = await import("./uncommitted.ts");
  return uncommittedAmong(project.root, edited);
}
