import type { Basis } from "../../store/basis.ts";
import type { LastRequest, Project } from "../types.ts";
import type { Turn } from "./turn.ts";

/** One session on disk: a file, or one key in a database. */
export interface SessionFile {
  readonly host: string;
  readonly id: string;
  readonly path: string;
  /** The session within the database at `path`. */
  readonly key?: string;
  /** Set only if finding the session revealed it; `headerOf` always reads it. */
  readonly cwd?: string;
  readonly startedAt?: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
  /** Bytes, or messages in a database. Together with `modified` it shows whether anything changed. */
  readonly size: number;
  /** The session whose subagent this is. */
  readonly parent?: string;
}

/** A session's metadata, read from a few kilobytes at the two ends of its file. */
export interface Header {
  readonly id?: string;
  readonly cwd?: string;
  readonly startedAt?: number;
  readonly branch?: string;
  /** A name given by the user takes precedence over one that the host generated. */
  readonly title?: Title;
  readonly parent?: string;
  /** The session, by id or file, of which this one began as a copy. */
  readonly forkOf?: string;
  /** The session, by id or file, that this one continues without copying it. */
  readonly continues?: string;
  /** Started by a script, as `claude -p` and `codex exec` do, with nobody watching. */
  readonly isHeadless?: boolean;
}

/** `beginning` is for callers that read the whole file afterwards and find the title there. */
export type Reach = "ends" | "beginning";

export interface Title {
  readonly text: string;
  readonly by: "person" | "host";
}

export interface Discovery {
  /** Only sessions of this project. Every file is then opened; otherwise files are only listed. */
  readonly project?: Project;
  /** Called for each folder or database that exists and cannot be read. */
  readonly onFailure?: (reason: string) => void;
}

/** A query for the newest sessions of a project. */
export interface RecentQuery {
  /** Folders in which the project's sessions work: its root, worktrees, other clones. */
  readonly roots: readonly string[];
  /** Whether a session that works in this folder belongs to the project. */
  readonly isOfProject: (cwd: string) => boolean;
  readonly limit: number;
  /** At most this many transcripts are opened to learn their folders. */
  readonly mostOpened: number;
  /** Called between files; true ends the search with the results so far. */
  readonly isOver: () => boolean;
  /** Records what the answer depends on: folders in which a newer session would appear, and the newest transcripts. */
  readonly basis?: Basis;
}

export interface ReadOptions {
  /** An offset from an earlier reading. Ignored if the file was replaced and the offset does not fit it. */
  readonly from?: number;
  /** Set if that reading stopped inside a line that is too long: the rest is skipped and not counted again. */
  readonly isWithin?: boolean;
  /** Called between lines, once a little was read, and inside lines that are too long. True stops reading there. */
  readonly isOver?: () => boolean;
  /** Read only about this many bytes at the end of the transcript; `from` is ignored. */
  readonly tailBytes?: number;
  /** An offset from an earlier reading at which to stop. With `tailBytes`, the end is there. */
  readonly before?: number;
  /** The folder to which paths in tool calls are made relative (default: the session's folder). */
  readonly root?: string;
  /** How much is read at a time. */
  readonly chunkBytes?: number;
  /** A longer line or row is counted and skipped, because it would not fit into memory twice. */
  readonly maxLineBytes?: number;
}

/** How every line or row was handled. `lines` is the sum of the counts from `used` to `damaged`. */
export interface Report {
  readonly lines: number;
  /** Lines that became turns. */
  readonly used: number;
  /** Lines of a known type without conversation, by type. */
  readonly passed: Counts;
  /** Lines of a type that this version does not know, by type. */
  readonly unknown: Counts;
  /** Lines that are too long, or would take too much memory when parsed. */
  readonly oversized: number;
  /** Lines that are not a JSON object. */
  readonly damaged: number;
  /** Lines with bytes that are not UTF-8; they are read, with U+FFFD in place of those bytes. */
  readonly notUtf8: number;
  /** Where the first few damaged and oversized lines begin. */
  readonly places: readonly number[];
  /** Bytes of an incomplete last line; it is read once it is complete. */
  readonly pending: number;
  /** Where this reading really began. */
  readonly from: number;
  /** Where to continue next time. The last turn may come again, extended. */
  readonly resumeAt: number;
  /** `resumeAt` is inside a line that is too long. */
  readonly isWithin?: boolean;
  /** `isOver` ended the reading before the end of the file. */
  readonly isCut?: boolean;
  readonly title?: Title;
  /** Ranges of the file with abandoned branches, for turns that were read before. */
  readonly otherBranches: readonly Range[];
  /** Why reading failed before the end. */
  readonly failure?: string;
}

type Counts = Readonly<Record<string, number>>;

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Turns in the file's order, one at a time. `report` may be called at any point and covers what was read so far. */
export interface Reading extends Iterable<Turn> {
  report(): Report;
}

/** Finds and reads one host's history. Never throws because of what is on disk: reports contain the failures. */
export interface TranscriptReader {
  readonly host: string;
  discover(env: NodeJS.ProcessEnv, options?: Discovery): SessionFile[];
  /** The newest sessions of a project, newest first, each with its folder; no subagents. Opens few files. */
  recent(env: NodeJS.ProcessEnv, query: RecentQuery): SessionFile[];
  headerOf(file: SessionFile, reach?: Reach): Header;
  read(file: SessionFile, options?: ReadOptions): Reading;
  /** Where the session stopped, read from the end of its transcript; undefined if no request is found there. */
  lastRequest?(path: string): LastRequest | undefined;
  /** The size of the model's context in tokens, for hosts that write it into the transcript. */
  contextWindow?(path: string): number | undefined;
  /** The program and arguments with which the user continues the session, in the folder that it ran in. */
  resumeWords(session: Pick<SessionFile, "id" | "path">): readonly [program: string, ...args: string[]];
}

/** The readers of all hosts, by the host's name. Entry points pass it to sources, so that no source imports a host. */
export type History = ReadonlyMap<string, TranscriptReader>;

/** A function, because most moments read no history and should not load its code. */
export type LoadHistory = () => Promise<History>;
