import type { History } from "../../../moments/ports/history.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import { type SessionSteps, standingOf } from "../standing/standing.ts";
import type { Candidate } from "./find.ts";
import { editedFiles, fileOf } from "./indexed.ts";
import type { LastSession } from "./lines.ts";
import { nameOfFile } from "./name-of-file.ts";
import { endOfTranscript } from "./said.ts";

export interface ReadSession extends LastSession {
  readonly cwd?: string;
  /** Relative to the root of the session's project, latest first. */
  readonly edited: readonly string[];
  /** Whether its name comes from the index. */
  readonly isIndexed: boolean;
}

interface Place {
  readonly history: History;
  readonly db: Database | undefined;
  readonly isOver: () => boolean;
}

const MOST_FILES = 20;

/**
 * The newest sessions in which something was said, and the newest in which something was done. Reads until these are
 * found and no other file is newer.
 */
export async function readSessions(
  candidates: readonly Candidate[],
  place: Place,
  limit: number,
): Promise<ReadSession[]> {
  const found: ReadSession[] = [];
  for (const one of candidates) {
    if (found.length > 0 && place.isOver()) break;
    const last = found[limit - 1];
    if (last !== undefined && last.at >= one.modified && found.some(isWork)) break;
    const session = await readSession(one, place);
    if (session !== undefined) found.push(session);
    found.sort((a, b) => b.at - a.at);
  }
  const work = found.findIndex(isWork);
  return work < limit
    ? found.slice(0, limit)
    : [...found.slice(0, limit - 1), ...found.slice(work, work + 1)];
}

function isWork({ standing }: ReadSession): boolean {
  return standing.isWork;
}

async function readSession(
  { indexed, file: listed, modified }: Candidate,
  { history, db, isOver }: Place,
): Promise<ReadSession | undefined> {
  const file = listed ?? (indexed && fileOf(indexed));
  const { host, id } = file ?? indexed ?? { host: "", id: "" };
  const reader = history.get(host);
  const read =
    file === undefined || reader === undefined
      ? indexed && db && (await endOfGone(db, indexed.row))
      : endOfTranscript(reader, file, isOver);
  if (read === undefined) return undefined;
  const known = indexed === undefined || db === undefined ? [] : editedFiles(db, indexed.row, MOST_FILES);
  const edited = known.length > 0 ? known : read.edited.slice(0, MOST_FILES);
  const standing = standingOf({ ...read, edited });
  if (standing === undefined) return undefined;
  // A script's question, such as for a commit message. What a script had an agent do is work like any other.
  if (!standing.isWork && file !== undefined && reader?.headerOf(file, "beginning").isHeadless)
    return undefined;
  const name = indexed?.name ?? (file && reader ? nameOfFile(reader, file) : "");
  const cwd = file?.cwd ?? indexed?.cwd ?? undefined;
  const isIndexed = indexed !== undefined;
  return {
    ...{ host, id, name, at: standing.at ?? modified, standing, edited, isIndexed },
    ...(cwd !== undefined && { cwd }),
  };
}

/** Rare, and its code is large. */
async function endOfGone(db: Database, session: number): Promise<SessionSteps> {
  const { endOfIndexed } = await import("./end-of-indexed.ts");
  return endOfIndexed(db, session);
}
