import { describeError } from "../../base/errors.ts";
import { remoteOf } from "../../git/remote.ts";
import type { History } from "../../moments/ports/history.ts";
import { rememberProjects } from "../../moments/project/project-registry.ts";
import type { Project } from "../../moments/types.ts";
import { sharedMeaning } from "../../search/meaning/shared.ts";
import type { MeaningSource } from "../../search/vectors/embed-texts.ts";
import type { Home } from "../../store/home.ts";
import { deciding } from "./deciding.ts";
import { indexVersion } from "./indexing/listing.ts";
import { nameWithoutPerson } from "./indexing/own-names.ts";
import { openSessionsIndex, sessionsIndexPath } from "./indexing/schema.ts";
import { syncSessions } from "./indexing/sync.ts";
import { reading } from "./reading.ts";
import { hasTombstone } from "./records/files.ts";
import { createRecords } from "./records/records.ts";
import type { PastSession, ProjectIds, RankedPassage, SessionKey } from "./session.ts";
import { sessionsSettings } from "./settings.ts";

export interface SessionsOptions {
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  readonly history: History;
  readonly now?: () => number;
  /** Where the index is, if not in the home. */
  readonly index?: string;
  /** Whether to keep a session in the index when its transcript is gone (default: true). */
  readonly keep?: boolean;
  /** How long to wait for other processes. A hook has less time than a command. */
  readonly busyTimeoutMs?: number;
  /** Set in a long-running process: closing the index keeps it open for the next call (`openKeptIndex`). */
  readonly keepsOpen?: boolean;
  /** The table of meaning (default: the package's own). */
  readonly meaning?: MeaningSource;
  /** Called for a failure after which the library is still usable. */
  readonly onFailure?: (code: string, message: string) => void;
}

/** Selects sessions. Children are left out unless `children` is set. */
export interface SessionFilter {
  readonly host?: string;
  readonly project?: ProjectIds;
  readonly branch?: string;
  /** A file that was read or edited: a path or the end of one. */
  readonly file?: string;
  /** Modified at or after `since` and before `until`; milliseconds since 1970. */
  readonly since?: number;
  readonly until?: number;
  readonly children?: boolean;
  /** Excludes the session with this id, because the asking session does not mean itself. */
  readonly except?: string;
  /** Only sessions with text. */
  readonly spoken?: boolean;
  /** Words in its name, each possibly as a part of a longer one. */
  readonly named?: readonly string[];
}

export interface SessionHit {
  readonly session: PastSession;
  readonly score: number;
  /** By words alone; 0 if it was found by meaning. */
  readonly textScore: number;
  /** The words of the query that its name or its best passage contains. */
  readonly matched: readonly string[];
  readonly best: RankedPassage | undefined;
  /** Sessions that match in the same words, such as forks. They are not hits of their own. */
  readonly copies?: readonly PastSession[];
}

export interface SearchOptions extends SessionFilter {
  readonly limit?: number;
  /** How many of the best hits to skip, because they were on earlier pages. */
  readonly skip?: number;
  /** Whether to include sessions that match much less well than the best one. */
  readonly weaker?: boolean;
}

export interface SearchAnswer {
  /** Best first. */
  readonly hits: readonly SessionHit[];
  /** How many sessions contain any of the words, or are near in meaning; copies of the best ones are not counted. */
  readonly total: number;
  /** How many more match much less well than the best one, and were left out. */
  readonly weaker: number;
  /** What was searched for instead of words that no session contains. */
  readonly notices: readonly string[];
}

export interface SyncOptions {
  /** Stops after this time; the next call continues. Without it, everything is indexed. */
  readonly sliceMs?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: SyncProgress) => void;
  /**
   * Only this session, for a host's moments. The host may give a transcript outside the folders that are searched.
   */
  readonly only?: SessionKey & { readonly transcript?: string };
}

export interface SyncProgress {
  readonly sessions: number;
  readonly doneSessions: number;
  /** Bytes of transcript, in total and indexed so far. */
  readonly bytes: number;
  readonly doneBytes: number;
}

export interface SyncResult {
  readonly sessions: number;
  readonly changed: number;
  readonly forgotten: number;
  readonly bytes: number;
  readonly isComplete: boolean;
  /** What could not be read or parsed, one line each, at most a hundred. */
  readonly notices: readonly string[];
  /** Those notices that a later run will not fix. */
  readonly passed: readonly string[];
}

/**
 * All past sessions of every host on this machine: reading them (reading.ts), the decisions of users and models about
 * them (deciding.ts), and the index. Only `describe` asks a model, and only the one that it is given.
 */
export type Sessions = ReturnType<typeof openSessions>;

/** Opens the index and creates it if needed; `sync` fills it. */
export function openSessions(options: SessionsOptions) {
  const { home, env, history, now = Date.now, keep = true } = options;
  const { busyTimeoutMs, onFailure = () => undefined, meaning = tableFor(home, env) } = options;
  const path = options.index ?? sessionsIndexPath(home);
  const onRebuilt = (reason: string, movedTo: string) =>
    onFailure("index-rebuilt", `${path}: ${reason}; it is now ${movedTo}`);
  const db = openSessionsIndex({ path, onRebuilt, busyTimeoutMs }, options.keepsOpen);
  const places = { home, env };
  const records = createRecords(db, places, {
    now,
    nameAgain: (row, model) => nameWithoutPerson({ db, history }, row, model),
    onFailure,
  });
  return {
    ...reading(db, history, meaning),
    ...deciding({ db, places, now, records, history }),
    async sync(asked?: SyncOptions): Promise<SyncResult> {
      const met = new Map<string, Project>();
      const result = await syncSessions(
        {
          db,
          env,
          history,
          keep,
          meaning,
          naming: records.recordedNames,
          onProject: (project) => void met.set(project.id, project),
          hasTombstone: ({ host, id, parent }) =>
            hasTombstone(places, { host, id }) ||
            (parent !== undefined && hasTombstone(places, { host, id: parent })),
        },
        asked,
      );
      await rememberMet(home, [...met.values()], onFailure);
      return result;
    },
    /** A text that changes with every change of the index, by any process. */
    version: (): string => indexVersion(db),
    /** When the index was last complete; milliseconds since 1970, 0 if it never was. */
    indexedAt: (): number => db.get<{ at: number }>("SELECT at FROM looked")?.at ?? 0,
    size: () =>
      db.get<{ sessions: number; passages: number; bytes: number }>(
        `SELECT count(*) AS sessions, total(passages) AS passages,
           (SELECT page_count * page_size FROM pragma_page_count, pragma_page_size) AS bytes FROM session`,
      ) ?? { sessions: 0, passages: 0, bytes: 0 },
    close: (): void => db.close(),
  };
}

/** Remembers projects with a remote, so that clones of the same remote are recognised as one project. */
async function rememberMet(
  home: Home,
  projects: readonly Project[],
  onFailure: (code: string, message: string) => void,
): Promise<void> {
  const seen = projects.flatMap(({ id, root }) => {
    const remote = remoteOf(id);
    return remote === undefined ? [] : [{ id, root, remote }];
  });
  if (seen.length === 0) return;
  try {
    await rememberProjects(home, seen);
  } catch (error) {
    onFailure("projects-not-saved", describeError(error).message);
  }
}

/** The table of meaning, unless it is disabled. The settings are read when it is first needed. */
function tableFor(home: Home, env: NodeJS.ProcessEnv): MeaningSource {
  const shared = sharedMeaning(home);
  let isOn: boolean | undefined;
  return () => {
    isOn ??= sessionsSettings(home, env)["meaning"] !== false;
    return isOn ? shared() : undefined;
  };
}
