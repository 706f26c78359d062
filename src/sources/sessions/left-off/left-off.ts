import { describeError } from "../../../base/errors.ts";
import { typed } from "../../../base/settings.ts";
import type { Answer, SourceContext } from "../../../moments/ports/source.ts";
import { watchedProject } from "../../../moments/project/prepared-place.ts";
import { findProject } from "../../../moments/project/project.ts";
import type { ExpectedStart, StartMoment } from "../../../moments/types.ts";
import { type Basis, createBasis } from "../../../store/basis.ts";
import { homeAt } from "../../../store/home.ts";
import { writePrepared } from "../../../store/prepared.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import { oneLine } from "../labels.ts";
import { recordPath, tombstonePath } from "../records/files.ts";
import { SESSIONS_SETTINGS } from "../settings.ts";
import { findCandidates } from "./find.ts";
import { openToRead } from "./indexed.ts";
import { type PreparedLeftOff, preparedFor } from "./prepared.ts";
import type { ReadSession } from "./read-sessions.ts";
import { answerWith, type LeftOff } from "./section.ts";

const LONGEST_NAME = 60;

/**
 * How many extra sessions are read, because some turn out to be trivial, or older than their files. Scripts can leave
 * dozens.
 */
const SPARE = [5, 60];
/** Shares of the deadline: when finding ends, and when reading ends. The rest is for git and for work in progress. */
const AT_START = { find: 0.25, read: 0.5 };
const AT_IDLE = { find: 0.5, read: 0.8 };

/** The session that begins; an expected one has no id yet. */
export type Beginning = ExpectedStart & { readonly self: string };

/** The last sessions of this project, as they were when this session began. */
export async function whereWeLeftOff(moment: StartMoment, context: SourceContext): Promise<Answer> {
  const found = await lastSessions({ ...moment, self: moment.session.id }, context);
  const leftOff = await describe(found, moment);
  return leftOff === undefined ? {} : answerWith(leftOff, moment.at);
}

/** Prepares the lines for the next start, with everything that shows whether they are still right then. */
export async function prepareLeftOff(start: ExpectedStart, context: SourceContext): Promise<void> {
  const basis = createBasis();
  watchedProject(basis, start, context);
  const found = await lastSessions({ ...start, self: "" }, context, basis);
  const leftOff = await describe(found, start, basis);
  const value: PreparedLeftOff = { leftOff: leftOff ?? null, ids: found.map(({ id }) => id) };
  const { IN_WORK_MS } = await import("./lines.ts");
  const until = rightUntil(found, start.at, IN_WORK_MS);
  if (!context.signal.aborted) writePrepared(preparedFor(start, context), value, basis, until);
}

async function describe(
  found: readonly ReadSession[],
  { project, at }: ExpectedStart,
  basis?: Basis,
): Promise<LeftOff | undefined> {
  const [first, ...others] = workFirst(found);
  if (first === undefined) return undefined;
  const uncommitted = await uncommittedOf(first, project.root, basis);
  const { lastSessionsLines } = await import("./lines.ts");
  const lines = lastSessionsLines([first, ...others], uncommitted, at);
  return {
    lines: lines.map(({ text }) => text),
    spare: lines.flatMap(({ isSpare }, i) => (isSpare === true ? [i] : [])),
    details: lines.flatMap(({ isDetail }, i) => (isDetail === true ? [i] : [])),
    name: oneLine(first.name || first.id, LONGEST_NAME),
    at: first.at,
  };
}

const LONGEST_MS = 30 * 86_400_000;
/** Other processes index sessions too, and the index may name one differently than its file. */
const UNINDEXED_MS = 10 * 60_000;

/** A request that is in progress now will count as unanswered later. */
function rightUntil(found: readonly ReadSession[], now: number, inWorkMs: number): number {
  const ends = found.map(({ at, standing }) =>
    standing.isOpen && now - at < inWorkMs ? at + inWorkMs : now + LONGEST_MS,
  );
  return Math.min(now + (found.every(({ isIndexed }) => isIndexed) ? LONGEST_MS : UNINDEXED_MS), ...ends);
}

/** A question in between must not hide the work: the newest session with tool calls comes first. */
function workFirst(found: readonly ReadSession[]): ReadSession[] {
  const first = found.find(({ standing }) => standing.isWork) ?? found[0];
  return first === undefined ? [] : [first, ...found.filter((one) => one !== first)];
}

/** The code that reads texts is loaded only if the project has sessions. */
async function lastSessions(start: Beginning, context: SourceContext, basis?: Basis): Promise<ReadSession[]> {
  const limit = typed(SESSIONS_SETTINGS, context.settings).lastSessions;
  const history = await context.history();
  const db = await indexIfUsable(context, basis);
  const begun = Date.now();
  const shares = basis === undefined ? AT_START : AT_IDLE;
  const after = (share: number) => (): boolean => {
    const isOver = context.signal.aborted || Date.now() > begun + context.deadlineMs * share;
    if (isOver) basis?.giveUp();
    return isOver;
  };
  try {
    const places = { home: homeAt(context.home), env: context.env };
    for (const spare of SPARE) {
      const finding = { history, db, isOver: after(shares.find), basis };
      const candidates = findCandidates(start, context, finding, limit + spare);
      for (const { file, indexed } of candidates) {
        const key = file ?? indexed;
        if (key !== undefined) basis?.watch(tombstonePath(places, key), recordPath(places, key));
        if (file !== undefined && file.key === undefined) basis?.watchLines(file.path, []);
      }
      if (candidates.length === 0) return [];
      const { readSessions } = await import("./read-sessions.ts");
      const found = await readSessions(candidates, { history, db, isOver: after(shares.read) }, limit);
      const isAll = candidates.length < limit + spare || spare === SPARE.at(-1);
      if (isAll || (found.length === limit && found.some(({ standing }) => standing.isWork))) return found;
    }
    return [];
  } finally {
    db?.close();
  }
}

async function indexIfUsable({ home, report }: SourceContext, basis?: Basis): Promise<Database | undefined> {
  try {
    return await openToRead(homeAt(home));
  } catch (error) {
    basis?.giveUp();
    report("index-unreadable", describeError(error).message);
    return undefined;
  }
}

/** Only where that session worked in the same folder: another worktree has other files under the same names. */
async function uncommittedOf(
  { cwd, edited }: ReadSession,
  root: string,
  basis?: Basis,
): Promise<string[] | undefined> {
  if (cwd === undefined || edited.length === 0) return undefined;
  basis?.watchExistence(cwd);
  if (findProject(cwd).root !== root) return undefined;
  const { uncommittedAmong } = await import("./uncommitted.ts");
  return uncommittedAmong(root, edited, basis);
}
