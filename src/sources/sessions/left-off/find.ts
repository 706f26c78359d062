import { join } from "node:path";
import { describeError } from "../../../base/errors.ts";
import { worktreesOf } from "../../../git/worktrees.ts";
import type { History, SessionFile } from "../../../moments/ports/history.ts";
import type { SourceContext } from "../../../moments/ports/source.ts";
import type { KnownProject } from "../../../moments/project/known-project.ts";
import { findProject } from "../../../moments/project/project.ts";
import type { Basis } from "../../../store/basis.ts";
import { homeAt } from "../../../store/home.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import { hasTombstone } from "../records/files.ts";
import { type IndexedSession, indexedSessions } from "./indexed.ts";
import type { Beginning } from "./left-off.ts";

/** A session of the project that may be worth a line. Its text has not been read. */
export interface Candidate {
  readonly indexed?: IndexedSession;
  readonly file?: SessionFile;
  readonly modified: number;
}

interface Place {
  readonly history: History;
  readonly db: Database | undefined;
  readonly isOver: () => boolean;
  /** Records what the answer depends on. */
  readonly basis: Basis | undefined;
}

/** How many transcripts of each host are opened to learn their folders. */
const MOST_OPENED = 200;

/**
 * The newest sessions of the project in any host, newest first. The index provides names, and sessions whose
 * transcripts are gone; the hosts' own files provide what is not indexed yet.
 */
export function findCandidates(
  { self, cwd, project: here }: Beginning,
  context: SourceContext,
  place: Place,
  most: number,
): Candidate[] {
  const { env, report } = context;
  const home = homeAt(context.home);
  const project = context.knownProject();
  const { basis, isOver } = place;
  for (const id of project.ids) basis?.watchNames(join(id, "worktrees"));
  const roots = [...new Set([here.root, cwd, ...project.ids.flatMap(worktreesOf)])];
  const query = {
    ...{ roots, isOfProject: projectCheck(project), limit: most, mostOpened: MOST_OPENED, isOver },
    ...(basis === undefined ? {} : { basis }),
  };
  const files = [...place.history.values()].flatMap((reader) => {
    try {
      return reader.recent(env, query);
    } catch (error) {
      const { code, message } = describeError(error);
      basis?.giveUp();
      // Without a home folder there are no histories.
      if (code !== "home-missing") report("history-unreadable", `${reader.host}: ${message}`);
      return [];
    }
  });
  const others = files.filter((file) => file.id !== self && !hasTombstone({ home, env }, file));
  return candidatesOf(indexedOf(place.db, project, self, most, report), others).slice(0, most);
}

/** Ignores an index of another version, or one in use: the transcripts contain as much. */
function indexedOf(
  db: Database | undefined,
  { ids }: KnownProject,
  self: string,
  most: number,
  report: SourceContext["report"],
): IndexedSession[] {
  if (db === undefined) return [];
  try {
    return indexedSessions(db, ids, self, most);
  } catch (error) {
    report("index-unreadable", describeError(error).message);
    return [];
  }
}

function projectCheck({ ids }: KnownProject): (cwd: string) => boolean {
  const known = new Map<string, boolean>();
  return (cwd) => {
    const found = known.get(cwd) ?? ids.includes(findProject(cwd).id);
    known.set(cwd, found);
    return found;
  };
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
