import { describeError } from "../../../base/errors.ts";
import { worktreesOf } from "../../../git/worktrees.ts";
import type { KnownProject } from "../../../moments/known-project.ts";
import type { History, SessionFile } from "../../../moments/ports/history.ts";
import type { SourceContext } from "../../../moments/ports/source.ts";
import { findProject } from "../../../moments/project.ts";
import type { StartMoment } from "../../../moments/types.ts";
import { homeAt } from "../../../store/home.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import { hasTombstone } from "../records/files.ts";
import { endingOf } from "./ending.ts";
import { editedFiles, fileOf, type IndexedSession, indexedSessions, withIndex } from "./indexed.ts";
import type { LastSession } from "./lines.ts";
import { nameOfFile } from "./name-of-file.ts";
import { endOfIndexed, endOfTranscript } from "./said.ts";
import { MOST_FILES } from "./uncommitted.ts";

export interface FoundSession extends LastSession {
  readonly cwd?: string;
  /** The last one first; relative to the session's folder of work. */
  readonly edited: readonly string[];
}

/** Sessions that are read: some turn out to be trivial, or older than their files. */
const SPARE = 5;
/** Transcripts of each host that are opened to learn their folders. */
const MOST_OPENED = 200;
/** Of the deadline; the rest is for git and for reading what was begun. */
const SHARE = 0.4;

/**
 * The last sessions of the project in any host, newest first. The index has names and sessions whose transcripts are gone;
 * the hosts' own files have what is not indexed yet.
 */
export async function findLastSessions(
  { session, cwd, project: here }: StartMoment,
  context: SourceContext,
  limit: number,
): Promise<FoundSession[]> {
  const { env, deadlineMs, signal, report } = context;
  const home = homeAt(context.home);
  const project = context.knownProject();
  const until = Date.now() + deadlineMs * SHARE;
  const isOver = (): boolean => signal.aborted || Date.now() > until;
  const history = await context.history();
  const most = limit + SPARE;
  const roots = [...new Set([here.root, cwd, ...project.ids.flatMap(worktreesOf)])];
  const isOfProject = projectCheck(project);
  const files = [...history.values()].flatMap((reader) => {
    try {
      return reader.recent(env, { roots, isOfProject, limit: most, mostOpened: MOST_OPENED, isOver });
    } catch (error) {
      const { code, message } = describeError(error);
      // Without a home folder there are no histories.
      if (code !== "home-missing") report("history-unreadable", `${reader.host}: ${message}`);
      return [];
    }
  });
  const others = files.filter((file) => file.id !== session.id && !hasTombstone({ home, env }, file));
  const read = (db: Database | undefined): FoundSession[] => {
    const indexed = db === undefined ? [] : indexedSessions(db, project.ids, session.id, most);
    return newestWorthALine(candidatesOf(indexed, others), { history, db, isOver }, limit);
  };
  const onFailure = (message: string): void => report("index-unreadable", message);
  return withIndex(home, read, onFailure) ?? read(undefined);
}

function projectCheck({ ids }: KnownProject): (cwd: string) => boolean {
  const known = new Map<string, boolean>();
  return (cwd) => {
    const found = known.get(cwd) ?? ids.includes(findProject(cwd).id);
    known.set(cwd, found);
    return found;
  };
}

interface Candidate {
  readonly indexed?: IndexedSession;
  readonly file?: SessionFile;
  readonly modified: number;
}

function candidatesOf(indexed: readonly IndexedSession[], files: readonly SessionFile[]): Candidate[] {
  const byKey = new Map<string, Candidate>();
  for (const one of indexed) byKey.set(`${one.host} ${one.id}`, { indexed: one, modified: one.modified });
  for (const file of files) {
    const key = `${file.host} ${file.id}`;
    const known = byKey.get(key);
    // A session may have several files: the first is the newest.
    if (known?.file === undefined)
      byKey.set(key, { ...known, file, modified: Math.max(known?.modified ?? 0, file.modified) });
  }
  return [...byKey.values()].sort((a, b) => b.modified - a.modified);
}

interface Reading {
  readonly history: History;
  readonly db: Database | undefined;
  readonly isOver: () => boolean;
}

/** Reads until `limit` are found and no other file is newer than they are. */
function newestWorthALine(candidates: readonly Candidate[], reading: Reading, limit: number): FoundSession[] {
  const found: FoundSession[] = [];
  for (const one of candidates.slice(0, limit + SPARE)) {
    if (reading.isOver()) break;
    const last = found[limit - 1];
    if (last !== undefined && last.at >= one.modified) break;
    const session = readSession(one, reading);
    if (session !== undefined) found.push(session);
    found.sort((a, b) => b.at - a.at);
  }
  return found.slice(0, limit);
}

function readSession(
  { indexed, file: listed, modified }: Candidate,
  reading: Reading,
): FoundSession | undefined {
  const { history, db, isOver } = reading;
  const file = listed ?? (indexed && fileOf(indexed));
  const { host, id } = file ?? indexed ?? { host: "", id: "" };
  const reader = history.get(host);
  const end =
    file === undefined || reader === undefined
      ? indexed && db && endOfIndexed(db, indexed.row)
      : endOfTranscript(reader, file, isOver);
  const known = indexed === undefined || db === undefined ? [] : editedFiles(db, indexed.row, MOST_FILES);
  const edited = known.length > 0 ? known : (end?.edited ?? []);
  const ending = end && endingOf({ ...end, edited });
  if (ending === undefined) return undefined;
  const name = indexed?.name ?? (file && reader ? nameOfFile(reader, file) : "");
  const cwd = file?.cwd ?? indexed?.cwd ?? undefined;
  return { host, id, name, at: ending.at ?? modified, ending, edited, ...(cwd !== undefined && { cwd }) };
}
