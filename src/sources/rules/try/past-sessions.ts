import { describeError } from "../../../base/errors.ts";
import type { History, SessionFile, TranscriptReader } from "../../../moments/ports/history.ts";
import { findProject } from "../../../moments/project/project.ts";
import type { Project } from "../../../moments/types.ts";

/** A past session, with its project. */
export interface TriedSession {
  readonly reader: TranscriptReader;
  readonly file: SessionFile;
  /** The folder to which paths in its calls, and a rule's patterns, are relative. */
  readonly root?: string;
}

/** A session, or a host's whole history, that could not be read. */
export interface Unreadable {
  readonly host: string;
  readonly id?: string;
  readonly path?: string;
  readonly why: string;
}

export interface SessionsQuery {
  readonly history: History;
  readonly env: NodeJS.ProcessEnv;
  /** Ids of the project, if only its sessions count; absent for all projects. */
  readonly projects?: readonly string[];
  /** Only sessions that continued after this time, in milliseconds since 1970. */
  readonly since?: number;
  /** Only these hosts. */
  readonly hosts?: readonly string[];
  /** Sessions that the user wants to exclude. */
  readonly isForgotten?: (file: SessionFile) => boolean;
}

/** The sessions to read, newest first, and the histories that cannot be listed. */
export async function sessionsFor(
  query: SessionsQuery,
  pause: () => Promise<void>,
  isOver: () => boolean,
): Promise<{ sessions: TriedSession[]; unreadable: Unreadable[] }> {
  const { history, env, projects, since = 0, hosts, isForgotten = () => false } = query;
  const sessions: TriedSession[] = [];
  const unreadable: Unreadable[] = [];
  const projectOf = cachedProjects();
  for (const reader of history.values()) {
    const { host } = reader;
    if (hosts !== undefined && !hosts.includes(host)) continue;
    for (const file of filesOf(reader, env, (why) => unreadable.push({ host, why }))) {
      await pause();
      if (isOver()) break;
      if (file.modified < since || isForgotten(file)) continue;
      const cwd = file.cwd ?? reader.headerOf(file, "beginning").cwd;
      const project = cwd === undefined ? undefined : projectOf(cwd);
      if (projects !== undefined && (project === undefined || !projects.includes(project.id))) continue;
      sessions.push({
        reader,
        file: cwd === undefined ? file : { ...file, cwd },
        ...(project === undefined ? {} : { root: project.root }),
      });
    }
  }
  return { sessions: sessions.sort((a, b) => b.file.modified - a.file.modified), unreadable };
}

function filesOf(
  reader: TranscriptReader,
  env: NodeJS.ProcessEnv,
  onFailure: (why: string) => void,
): readonly SessionFile[] {
  try {
    return reader.discover(env, { onFailure });
  } catch (error) {
    const { code, message } = describeError(error);
    // Without a home folder there are no histories.
    if (code !== "home-missing") onFailure(message);
    return [];
  }
}

/** Caches projects, because finding one needs the file system and thousands of sessions share a few folders. */
function cachedProjects(): (cwd: string) => Project {
  const known = new Map<string, Project>();
  return (cwd) => {
    const project = known.get(cwd) ?? findProject(cwd);
    known.set(cwd, project);
    return project;
  };
}
