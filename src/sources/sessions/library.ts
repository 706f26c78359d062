import type { Home } from "../../store/home.ts";
import type { HistoryHost } from "../../transcripts/reader.ts";
import type { Turn } from "../../transcripts/turn.ts";
import type { SessionRecord } from "./record.ts";
import type { PastSession, RankedPassage, SessionKey } from "./session.ts";

export interface SessionsOptions {
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  readonly now?: () => number;
  /** What the transcript of is gone stays in the index; true unless given. */
  readonly keep?: boolean;
  /** How long to wait for other processes; a hook has less time than a command. */
  readonly busyTimeoutMs?: number;
  /** Something went wrong that leaves the rest usable. */
  readonly onTrouble?: (code: string, message: string) => void;
}

/** Which sessions are meant. Children never are, unless asked for. */
export interface SessionFilter {
  readonly host?: HistoryHost;
  /** A project's identity, or its label. */
  readonly project?: string;
  readonly branch?: string;
  /** A file that was read or edited: a path, or its end. */
  readonly file?: string;
  /** Modified at or after, and before; milliseconds since 1970. */
  readonly since?: number;
  readonly until?: number;
  readonly children?: boolean;
}

export type Found =
  | { readonly kind: "found"; readonly session: PastSession }
  /** Best first. */
  | { readonly kind: "ambiguous"; readonly candidates: readonly PastSession[] }
  | { readonly kind: "unknown"; readonly nearest: readonly PastSession[] };

export interface FindOptions {
  readonly host?: HistoryHost;
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
  /** Only this session, if it is there: for a host's moments. */
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
}

/** Every past session of every host on this machine. Nothing here asks a model. */
export interface Sessions {
  sync(options?: SyncOptions): Promise<SyncResult>;
  list(filter?: SessionFilter & { readonly limit?: number }): PastSession[];
  get(key: SessionKey): PastSession | undefined;
  /** By id, the unique beginning of one, name, or what is near to a name. Never a guess among several. */
  find(idOrName: string, options?: FindOptions): Found;
  search(query: string, options?: SearchOptions): SearchAnswer;
  /** What is known about one session; made from its passages, and kept as a file, unless it is there and fresh. */
  record(key: SessionKey): SessionRecord | undefined;
  /** The passages of one session that answer a question best. */
  passages(key: SessionKey, question: string, limit: number): RankedPassage[];
  /** The turns of one session, from its transcript; none when it is gone. */
  turns(key: SessionKey): Iterable<Turn>;
  /** The sessions that this one was made of, nearest first: its fork's original, or its parent. */
  ancestors(key: SessionKey): PastSession[];
  /** Subagents' sessions and forks. */
  descendants(key: SessionKey): PastSession[];
  /** A person's name for it, which nothing replaces. */
  rename(key: SessionKey, name: string): SessionRecord;
  /** Takes it out of the index, removes its record, and never indexes it again. */
  forget(key: SessionKey): void;
  close(): void;
}

const notYet = (): never => {
  throw new Error("not yet");
};

export function openSessions(_options: SessionsOptions): Sessions {
  return {
    sync: notYet,
    list: notYet,
    get: notYet,
    find: notYet,
    search: notYet,
    record: notYet,
    passages: notYet,
    turns: notYet,
    ancestors: notYet,
    descendants: notYet,
    rename: notYet,
    forget: notYet,
    close: () => undefined,
  };
}
