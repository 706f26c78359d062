import { ContinuoError, describeError } from "../../base/errors.ts";
import { inSlices, toEnd } from "../../base/slices.ts";
import { remoteOf } from "../../git/remote.ts";
import type { History, SessionFile } from "../../moments/ports/history.ts";
import type { Turn } from "../../moments/ports/turn.ts";
import { rememberProjects } from "../../moments/project/project-registry.ts";
import { folderOfUser, metaFile } from "../../moments/state/session-meta.ts";
import { cleanName } from "../../moments/state/session-name.ts";
import type { Project } from "../../moments/types.ts";
import { sharedMeaning } from "../../search/meaning/shared.ts";
import type { MeaningSource } from "../../search/vectors/embed-texts.ts";
import type { Home } from "../../store/home.ts";
import type { Briefing } from "./describe/briefing.ts";
import { briefingFor, type Described, type DescribeOptions, describeSession } from "./describe/describe.ts";
import { ancestorsOf, descendantsOf } from "./indexing/lineage.ts";
import {
  type DetailedSession,
  detailsOf,
  type Facets,
  facetsOf,
  indexVersion,
  type LastAsked,
  type ListedSession,
  lastAskedIn,
  listSessions,
  namedLike,
} from "./indexing/listing.ts";
import { nameWithoutPerson } from "./indexing/own-names.ts";
import { firstPrompts, type Preview, previewOf } from "./indexing/prompts.ts";
import { rowOf, rowsOf, sessionOf } from "./indexing/rows.ts";
import { openSessionsIndex, sessionsIndexPath } from "./indexing/schema.ts";
import { syncSessions } from "./indexing/sync.ts";
import { problemsOf, transcriptsOf, turnsOf } from "./indexing/transcripts.ts";
import { hasTombstone, type SessionRecord } from "./records/files.ts";
import { type Forgotten, forgottenSessions } from "./records/forgotten.ts";
import type { Outline } from "./records/outline.ts";
import { createRecords } from "./records/records.ts";
import { type Resolution, resolve } from "./references/resolve.ts";
import { type NotResumable, type Resumption, resumeLine, resumptionOf } from "./resume.ts";
import { allPassages, searchSessions } from "./search/search.ts";
import { cosinesWithin, passagesFromEnd, type RankedWithin, rankingWithin } from "./search/within.ts";
import type { Passage, PastSession, ProjectIds, RankedPassage, SessionKey } from "./session.ts";
import { sessionsSettings } from "./settings.ts";

export interface SessionsOptions {
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  readonly history: History;
  readonly now?: () => number;
  /** Where the index is, if not in the home. */
  readonly index?: string;
  /** Keeps a session in the index when its transcript is gone; true by default. */
  readonly keep?: boolean;
  /** How long to wait for other processes. A hook has less time than a command. */
  readonly busyTimeoutMs?: number;
  /** The process lives on: the index stays open for the next call when it is closed (`openKeptIndex`). */
  readonly keepsOpen?: boolean;
  /** The table of meaning; that of the package by default. */
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
  /** Leaves out the session with this id: whoever asks does not mean itself. */
  readonly except?: string;
  /** Only sessions with text. */
  readonly spoken?: boolean;
  /** Words that its name has, each also as a part of a longer one. */
  readonly named?: readonly string[];
}

interface FindOptions {
  readonly host?: string;
  /** Its sessions are preferred. */
  readonly project?: ProjectIds;
}

export interface SessionHit {
  readonly session: PastSession;
  readonly score: number;
  /** By words alone; 0 if it was found by meaning. */
  readonly textScore: number;
  /** The words of the query that its name or its best passage has. */
  readonly matched: readonly string[];
  readonly best: RankedPassage | undefined;
  /** Sessions that match in the same words, such as forks. They are no hits of their own. */
  readonly copies?: readonly PastSession[];
}

export interface SearchOptions extends SessionFilter {
  readonly limit?: number;
  /** Leaves out this many of the best hits: they were on earlier pages. */
  readonly skip?: number;
  /** Also those that match much less well than the best one. */
  readonly weaker?: boolean;
}

export interface SearchAnswer {
  /** Best first. */
  readonly hits: readonly SessionHit[];
  /** How many sessions have any of the words, or are near in meaning; copies of the best ones are not counted. */
  readonly total: number;
  /** How many more match much less well than the best one, and were left out. */
  readonly weaker: number;
  /** What was searched for instead of words that no session has. */
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
 * All past sessions of every host on this machine. Only `describe` asks a model, and only the one that it is given.
 */
export interface Sessions {
  sync(options?: SyncOptions): Promise<SyncResult>;
  list(filter?: SessionFilter & { readonly limit?: number }): PastSession[];
  /** What ordering a list of all of them needs; for lists that show a part at a time. */
  listed(filter?: SessionFilter): ListedSession[];
  /** These rows of `listed`, with what was last asked. */
  details(rows: readonly number[]): DetailedSession[];
  /** The newest sessions whose name has these letters. */
  namedLike(letters: string, filter: SessionFilter, limit: number): DetailedSession[];
  /** The hosts, projects and branches of all sessions. */
  facets(): Facets;
  /** Another text after every change of the index, by whichever process. */
  version(): string;
  get(key: SessionKey): PastSession | undefined;
  /** What was last asked in it. */
  lastAsked(key: SessionKey): LastAsked | undefined;
  /** The beginnings of its first requests. */
  firstPrompts(key: SessionKey): string[];
  /** What a person needs to recognise it. */
  preview(key: SessionKey): Preview;
  /** The sessions of all hosts with this id. */
  keysOf(id: string): SessionKey[];
  /** By id, a unique beginning of one, a name, or part of a name. Never guesses among several. */
  find(idOrName: string, options?: FindOptions): Resolution<PastSession>;
  search(query: string, options?: SearchOptions): SearchAnswer;
  /** The record of a session. Made from its passages and written to its file unless that is up to date. */
  record(key: SessionKey): SessionRecord | undefined;
  /** What `describe` would send and how many prompts are new; undefined when the session has no text. */
  briefing(key: SessionKey): Briefing | undefined;
  /** Lets a model write the record. */
  describe(key: SessionKey, options: DescribeOptions): Promise<Described>;
  /** The session's outline, from which records and handoffs are written; undefined when it is not indexed. */
  outline(key: SessionKey): Outline | undefined;
  /** The passages of one session that match a question best. */
  passages(key: SessionKey, question: string, limit: number): RankedPassage[];
  /** The same for a process with other work, the newest first until `isOver`. */
  passagesInSlices(
    key: SessionKey,
    question: string,
    limit: number,
    isOver: () => boolean,
  ): Promise<RankedWithin>;
  /** All passages, in order. */
  allPassages(key: SessionKey): Passage[];
  /** The turns of one session, read from its transcript; none when that is gone. */
  turns(key: SessionKey): Iterable<Turn>;
  /** The files with its turns, for those who read them in parts. */
  transcripts(key: SessionKey): SessionFile[];
  /** What cannot be read in its transcripts now; for a session that seems empty. */
  problems(key: SessionKey): string[];
  /**
   * The sessions that this one comes from, nearest first: its parent, the original of its fork, or the one it
   * continues.
   */
  ancestors(key: SessionKey): PastSession[];
  /** Sessions of its subagents, its forks, and sessions that continue it. */
  descendants(key: SessionKey): PastSession[];
  /**
   * Gives it a person's name, which nothing replaces, and stores that in its metadata. An empty one gives the name back to
   * the host, a model or Continuo. Returns the name that it has then.
   */
  rename(key: SessionKey, name: string): Promise<string>;
  /** The same for a name that is in the metadata already. Does nothing for a session that is not indexed. */
  named(key: SessionKey, name: string): void;
  /** The command that resumes it; undefined for a subagent's session and when the transcript is gone. */
  resumeLine(session: PastSession): string | undefined;
  /** The same as a program and its arguments, to run without a shell; why not, where that is not possible. */
  resumption(session: PastSession): Resumption | NotResumable;
  /** Removes it from the index, deletes its record, and never indexes it again. */
  forget(key: SessionKey): void;
  /** The sessions that were forgotten, the last one first. */
  forgotten(): Forgotten[];
  /** Takes `forget` back: the next sync indexes the session again. False if its transcript is gone; then nothing changes. */
  remember(key: SessionKey): boolean;
  /** When the index was last complete; milliseconds since 1970, 0 if it never was. */
  indexedAt(): number;
  /** The folders in which sessions ran, each once, the most recently used first. */
  folders(limit: number): string[];
  /** Size of the index. */
  size(): { readonly sessions: number; readonly passages: number; readonly bytes: number };
  close(): void;
}

const RENAME_WAIT_MS = 5000;

/** Opens the index and creates it if needed; `sync` fills it. */
export function openSessions(options: SessionsOptions): Sessions {
  const { home, env, history, now = Date.now, keep = true } = options;
  const { busyTimeoutMs, onFailure = () => undefined, meaning = tableFor(home, env) } = options;
  const path = options.index ?? sessionsIndexPath(home);
  const onRebuilt = (reason: string, movedTo: string) =>
    onFailure("index-rebuilt", `${path}: ${reason}; it is now ${movedTo}`);
  const db = openSessionsIndex(
    { path, onRebuilt, ...(busyTimeoutMs === undefined ? {} : { busyTimeoutMs }) },
    options.keepsOpen,
  );
  const places = { home, env };
  const records = createRecords(db, places, {
    now,
    nameAgain: (row, model) => nameWithoutPerson({ db, history }, row, model),
    onFailure,
  });
  const describer = { db, places, now, read: records.read, makeFor: records.makeFor };
  const hasOwnOrParentTombstone = (file: SessionFile): boolean =>
    hasTombstone(places, file) ||
    (file.parent !== undefined && hasTombstone(places, { host: file.host, id: file.parent }));
  const passagesOf = (key: SessionKey): Passage[] => {
    const row = rowOf(db, key);
    return row === undefined ? [] : allPassages(db, row.id);
  };
  function* ranking(
    key: SessionKey,
    question: string,
    limit: number,
    isOver?: () => boolean,
  ): Generator<undefined, RankedWithin> {
    const row = rowOf(db, key);
    if (row === undefined || question.trim() === "") return { passages: [], isPart: false };
    const cosines = cosinesWithin(db, row.id, question, meaning);
    yield;
    return yield* rankingWithin(passagesFromEnd(db, row.id), question, limit, cosines, isOver);
  }
  return {
    async sync(asked) {
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
          hasTombstone: hasOwnOrParentTombstone,
        },
        asked,
      );
      await rememberMet(home, [...met.values()], onFailure);
      return result;
    },
    list: ({ limit, ...filter } = {}) => rowsOf(db, filter, limit).map(sessionOf),
    listed: (filter = {}) => listSessions(db, filter),
    details: (rows) => detailsOf(db, rows),
    namedLike: (letters, filter, limit) => namedLike(db, letters, filter, limit),
    facets: () => facetsOf(db),
    version: () => indexVersion(db),
    get(key) {
      const row = rowOf(db, key);
      return row && sessionOf(row);
    },
    lastAsked(key) {
      const row = rowOf(db, key);
      return row && lastAskedIn(db, row.id);
    },
    firstPrompts: (key) => firstPrompts(db, key),
    preview: (key) => previewOf(db, key),
    keysOf: (id) =>
      db.all<SessionKey>("SELECT host, sid AS id FROM session WHERE sid = ? ORDER BY host", [id]),
    find: (name, { host, project } = {}) =>
      resolve({ name, ...(host && { host }) }, rowsOf(db, { children: true }).map(sessionOf), {
        ...(project !== undefined && { project }),
      }),
    search: (query, asked) => searchSessions(db, query, { ...asked, meaning }),
    record: records.record,
    briefing: (key) => briefingFor(describer, key),
    describe: (key, options) => describeSession(describer, key, options),
    outline: records.outline,
    passages: (key, question, limit) => toEnd(ranking(key, question, limit)).passages,
    passagesInSlices: (key, question, limit, isOver) => inSlices(ranking(key, question, limit, isOver)),
    allPassages: passagesOf,
    turns: (key) => turnsOf(db, history, key),
    transcripts: (key) => transcriptsOf(db, key),
    problems: (key) => problemsOf(db, history, key),
    ancestors: (key) => ancestorsOf(db, key),
    descendants: (key) => descendantsOf(db, key),
    async rename(key, given) {
      const row = rowOf(db, key);
      if (row === undefined)
        throw new ContinuoError("no-such-session", `session "${key.id}" is not indexed`, {
          hint: "continuo sessions index reads all histories",
        });
      const name = cleanName(given);
      if (name === "" && given !== "")
        throw new ContinuoError("name-empty", "the name is empty", { hint: "give it a few words" });
      const file = metaFile(home, folderOfUser(env), key, { lockWaitMs: RENAME_WAIT_MS });
      // An empty name needs no file.
      if (name !== "" || file.read() !== undefined) await file.update(() => ({ name }));
      return records.named(key, name)?.name ?? row.name;
    },
    named: (key, name) => void records.named(key, cleanName(name)),
    resumeLine: (session) => resumeLine(session, history),
    resumption: (session) => resumptionOf(session, history),
    forget: records.forget,
    forgotten: () => forgottenSessions(places, history.keys()),
    remember(key) {
      const files = history.get(key.host)?.discover(env) ?? [];
      if (!files.some(({ id }) => id === key.id)) return false;
      records.remember(key);
      return true;
    },
    indexedAt: () => db.get<{ at: number }>("SELECT at FROM looked")?.at ?? 0,
    folders: (limit) =>
      db
        .all<{ cwd: string }>(
          "SELECT cwd FROM session WHERE cwd IS NOT NULL GROUP BY cwd ORDER BY max(modified) DESC LIMIT ?",
          [limit],
        )
        .map(({ cwd }) => cwd),
    size: () =>
      db.get(
        `SELECT count(*) AS sessions, total(passages) AS passages,
           (SELECT page_count * page_size FROM pragma_page_count, pragma_page_size) AS bytes FROM session`,
      ) ?? { sessions: 0, passages: 0, bytes: 0 },
    close: () => db.close(),
  };
}

/** Projects with a remote are remembered, so that clones of one remote are recognised as one project. */
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

/** The table of meaning, unless it is turned off. The settings are read when it is first needed. */
function tableFor(home: Home, env: NodeJS.ProcessEnv): MeaningSource {
  const shared = sharedMeaning(home);
  let isOn: boolean | undefined;
  return () => {
    isOn ??= sessionsSettings(home, env)["meaning"] !== false;
    return isOn ? shared() : undefined;
  };
}
