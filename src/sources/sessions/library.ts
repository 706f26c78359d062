import { shellWord } from "../../base/shell-word.ts";
import type { History, SessionFile } from "../../moments/ports/history.ts";
import type { Turn } from "../../moments/ports/turn.ts";
import type { Home } from "../../store/home.ts";
import { redact } from "../../store/redact.ts";
import type { Briefing } from "./describe/briefing.ts";
import type { Described, DescribeOptions } from "./describe/describe.ts";
import { modelsName } from "./describe/draft.ts";
import { ancestorsOf, descendantsOf } from "./indexing/lineage.ts";
import type { Naming } from "./indexing/put-session.ts";
import { forgetSession } from "./indexing/remove.ts";
import { rowOf, rowsOf, sessionOf } from "./indexing/rows.ts";
import { openSessionsIndex, sessionsIndexPath } from "./indexing/schema.ts";
import { syncSessions } from "./indexing/sync.ts";
import { troublesOf, turnsOf } from "./indexing/transcripts.ts";
import { isForgotten, readRecord, recordPath, type SessionRecord } from "./records/files.ts";
import { cleanName } from "./records/name.ts";
import type { Outline } from "./records/outline.ts";
import { createRecords } from "./records/records.ts";
import { type Resolution, resolve } from "./references/resolve.ts";
import { allPassages, searchSessions } from "./search/search.ts";
import { rankWithin } from "./search/within.ts";
import type { Passage, PastSession, RankedPassage, SessionKey } from "./session.ts";

export interface SessionsOptions {
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  readonly history: History;
  readonly now?: () => number;
  /** A session whose transcript is gone stays in the index; true unless given. */
  readonly keep?: boolean;
  /** How long to wait for other processes; a hook has less time than a command. */
  readonly busyTimeoutMs?: number;
  /** Something went wrong that leaves the rest usable. */
  readonly onTrouble?: (code: string, message: string) => void;
}

/** Which sessions are meant. Children never are, unless asked for. */
export interface SessionFilter {
  readonly host?: string;
  /** A project's identity, or its label. */
  readonly project?: string;
  readonly branch?: string;
  /** A file that was read or edited: a path, or its end. */
  readonly file?: string;
  /** Modified at or after, and before; milliseconds since 1970. */
  readonly since?: number;
  readonly until?: number;
  readonly children?: boolean;
  /** Not this one, by its id: whoever asks does not mean itself. */
  readonly except?: string;
  /** Only those in which something was said. */
  readonly spoken?: boolean;
}

export interface FindOptions {
  readonly host?: string;
  /** Its sessions are looked at first, all others after that. */
  readonly project?: string;
}

export interface SessionHit {
  readonly session: PastSession;
  readonly score: number;
  readonly best: RankedPassage | undefined;
}

export interface SearchOptions extends SessionFilter {
  readonly limit?: number;
  /** So many of the best are left out: they stood on the pages before. */
  readonly skip?: number;
}

export interface SearchAnswer {
  /** Best first. */
  readonly hits: readonly SessionHit[];
  /** How many sessions have any of the words. */
  readonly total: number;
}

export interface SyncOptions {
  /** Stops after this time and goes on at the next call; without it everything is read. */
  readonly sliceMs?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: SyncProgress) => void;
  /** Only this session, if it is there: for a host's moments. Its host may tell a file that lies where nobody looks. */
  readonly only?: SessionKey & { readonly transcript?: string };
}

export interface SyncProgress {
  readonly sessions: number;
  readonly doneSessions: number;
  /** Bytes of transcript still to read, and read. */
  readonly bytes: number;
  readonly doneBytes: number;
}

export interface SyncResult {
  readonly sessions: number;
  readonly changed: number;
  readonly forgotten: number;
  readonly bytes: number;
  readonly isComplete: boolean;
  /** What could not be read or understood, one line each, at most a hundred. */
  readonly notices: readonly string[];
  /** Those among them that no later reading makes good. */
  readonly passed: readonly string[];
}

/** Every past session of every host on this machine. Only `describe` asks a model, and only the one that it is handed. */
export interface Sessions {
  sync(options?: SyncOptions): Promise<SyncResult>;
  list(filter?: SessionFilter & { readonly limit?: number }): PastSession[];
  get(key: SessionKey): PastSession | undefined;
  /** By id, the unique beginning of one, name, or what is near to a name. Never a guess among several. */
  find(idOrName: string, options?: FindOptions): Resolution<PastSession>;
  search(query: string, options?: SearchOptions): SearchAnswer;
  /** What is known about one session; made from its passages, and kept as a file, unless it is there and fresh. */
  record(key: SessionKey): SessionRecord | undefined;
  /** What `describe` would send, and how many prompts are new; undefined when nothing was said. */
  briefing(key: SessionKey): Briefing | undefined;
  /** Has a model write the record. */
  describe(key: SessionKey, options: DescribeOptions): Promise<Described>;
  /** The same in parts, from which records and handoffs are written; undefined when the session is not indexed. */
  outline(key: SessionKey): Outline | undefined;
  /** The passages of one session that answer a question best. */
  passages(key: SessionKey, question: string, limit: number): RankedPassage[];
  /** All of them, in order. */
  allPassages(key: SessionKey): Passage[];
  /** The turns of one session, from its transcript; none when it is gone. */
  turns(key: SessionKey): Iterable<Turn>;
  /** What of its transcripts cannot be read now; for a session that seems to be empty. */
  troubles(key: SessionKey): string[];
  /** The sessions that this one was made of, nearest first: its parent, its fork's original, or the one that it continues. */
  ancestors(key: SessionKey): PastSession[];
  /** Subagents' sessions, forks, and what continues it. */
  descendants(key: SessionKey): PastSession[];
  /** A person's name for it, which nothing replaces. */
  rename(key: SessionKey, name: string): SessionRecord;
  /** What a person types to continue it; undefined for a subagent's session and for one whose transcript is gone. */
  resumeLine(session: PastSession): string | undefined;
  /** Takes it out of the index, removes its record, and never indexes it again. */
  forget(key: SessionKey): void;
  /** When everything was last found to be indexed; milliseconds since 1970, 0 when it never was. */
  lookedAt(): number;
  /** Bytes of the index, and how many sessions it has. */
  size(): { readonly sessions: number; readonly passages: number; readonly bytes: number };
  close(): void;
}

/** Opens the index, making it if it is not there; `sync` fills it. */
export function openSessions(options: SessionsOptions): Sessions {
  const { home, env, history, now = Date.now, keep = true } = options;
  const { busyTimeoutMs, onTrouble = () => undefined } = options;
  const path = sessionsIndexPath(home);
  const db = openSessionsIndex({
    path,
    ...(busyTimeoutMs === undefined ? {} : { busyTimeoutMs }),
    onRebuilt: (reason, movedTo) => onTrouble("index-rebuilt", `${path}: ${reason}; it is now ${movedTo}`),
  });
  const places = { home, env };
  const records = createRecords(db, places, { now, onTrouble });
  const naming: Naming = (key) => {
    const record = readRecord(recordPath(places, key), () => undefined);
    if (record === undefined) return undefined;
    const given = record.continuo?.namedBy === "given" ? record.name : undefined;
    // Others write records too, and what they call a session is compared with what its host does.
    const [model] = modelsName(record).map((name) => cleanName(redact(name)));
    return { given, model: model || undefined, earlier: record.continuo?.earlierNames ?? [] };
  };
  const isBuried = (file: SessionFile): boolean =>
    isForgotten(places, file) ||
    (file.parent !== undefined && isForgotten(places, { host: file.host, id: file.parent }));
  const passagesOf = (key: SessionKey): Passage[] => {
    const row = rowOf(db, key);
    return row === undefined ? [] : allPassages(db, row.id);
  };
  return {
    sync: (asked) => syncSessions({ db, env, history, keep, naming, isForgotten: isBuried }, asked),
    list: ({ limit, ...filter } = {}) => rowsOf(db, filter, limit).map(sessionOf),
    get(key) {
      const row = rowOf(db, key);
      return row && sessionOf(row);
    },
    find: (name, { host, project } = {}) =>
      resolve({ name, ...(host && { host }) }, rowsOf(db, { children: true }).map(sessionOf), {
        ...(project !== undefined && { project }),
      }),
    search: (query, asked) => searchSessions(db, query, asked),
    record: records.record,
    briefing: records.briefing,
    describe: records.describe,
    outline: records.outline,
    passages: (key, question, limit) => rankWithin(passagesOf(key), question, limit),
    allPassages: passagesOf,
    turns: (key) => turnsOf(db, history, key),
    troubles: (key) => troublesOf(db, history, key),
    ancestors: (key) => ancestorsOf(db, key),
    descendants: (key) => descendantsOf(db, key),
    rename: records.rename,
    resumeLine: (session) => resumeLine(session, history),
    forget: (key) => forgetSession(db, places, key, now()),
    lookedAt: () => db.get<{ at: number }>("SELECT at FROM looked")?.at ?? 0,
    size: () =>
      db.get(
        `SELECT count(*) AS sessions, total(passages) AS passages,
           (SELECT page_count * page_size FROM pragma_page_count, pragma_page_size) AS bytes FROM session`,
      ) ?? { sessions: 0, passages: 0, bytes: 0 },
    close: () => db.close(),
  };
}

/**
 * What a person types to continue a session, with the folder by which most hosts find it. Each host's command was typed into
 * the real program (test/e2e/resume-commands.test.ts).
 */
export function resumeLine(session: PastSession, history: History): string | undefined {
  // Hosts resume no subagent on its own.
  if (session.isChild || session.isGone) return undefined;
  const command = history.get(session.host)?.resumeCommand(session);
  if (command === undefined || session.cwd === undefined) return command;
  return `cd ${shellWord(session.cwd)} && ${command}`;
}
