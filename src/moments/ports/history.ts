import type { LastRequest, Project } from "../types.ts";
import type { Turn } from "./turn.ts";

/** One session as it lies on the disk: a file, or one key in a database. */
export interface SessionFile {
  readonly host: string;
  readonly id: string;
  readonly path: string;
  /** The session within the database at `path`. */
  readonly key?: string;
  /** Known only where finding the session already told it; `headerOf` always tells it. */
  readonly cwd?: string;
  readonly startedAt?: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
  /** Bytes, or messages in a database. With `modified` it tells whether anything changed. */
  readonly size: number;
  /** The session whose subagent this is. */
  readonly parent?: string;
}

/** What a session says about itself, from a few kilobytes at its ends. */
export interface Header {
  readonly id?: string;
  readonly cwd?: string;
  readonly startedAt?: number;
  readonly branch?: string;
  /** A name that a person gave wins over one that the host made. */
  readonly title?: Title;
  readonly parent?: string;
  /** The session, by id or file, that this one began as a copy of. */
  readonly forkOf?: string;
  /** The session, by id or file, that this one goes on with, without a copy of it. */
  readonly continues?: string;
}

/** `beginning` is for who reads the whole file after that, and hears its name there. */
export type Reach = "ends" | "beginning";

export interface Title {
  readonly text: string;
  readonly by: "person" | "host";
}

export interface Discovery {
  /** Only sessions of this project. Costs a look into every file; without it files are only listed. */
  readonly project?: Project;
  /** Told of each folder or database that is there and could not be read. */
  readonly onFailure?: (reason: string) => void;
}

export interface ReadOptions {
  /** An offset that an earlier reading gave. One that does not fit the file, because it was replaced, is not used. */
  readonly from?: number;
  /** That reading stopped inside a line that is too long: its rest is passed over, and not counted again. */
  readonly isWithin?: boolean;
  /** Asked between lines, once a little was read, and inside of those that are too long: true ends the reading there. */
  readonly isOver?: () => boolean;
  /** What paths in tool calls are made relative to; the session's folder unless given. */
  readonly root?: string;
  /** How much is read at once. */
  readonly chunkBytes?: number;
  /** A longer line, or row, is counted and passed over: it would not fit into memory twice. */
  readonly maxLineBytes?: number;
}

/** What became of every line, or row. `lines` is the sum of all that follow it up to `damaged`. */
export interface Report {
  readonly lines: number;
  /** Lines that turns were made of. */
  readonly used: number;
  /** Lines of a known type that hold nothing of the conversation, by type. */
  readonly passed: Counts;
  /** Lines of a type that this version does not know, by type. */
  readonly unknown: Counts;
  /** Lines that are too long, or would take too much memory when parsed. */
  readonly oversized: number;
  /** Lines that are no JSON object. */
  readonly damaged: number;
  /** Lines with bytes that are not UTF-8; they are read, with a sign in place of those bytes. */
  readonly notUtf8: number;
  /** Where the first few damaged and oversized ones begin. */
  readonly places: readonly number[];
  /** Bytes of a last line that is not whole yet; it is read when it is. */
  readonly pending: number;
  /** Where this reading really began. */
  readonly from: number;
  /** Where to go on next time. The last turn may come again, with what was added to it. */
  readonly resumeAt: number;
  /** That lies inside a line that is too long. */
  readonly isWithin?: boolean;
  /** Reading was told to end before the file did. */
  readonly isCut?: boolean;
  readonly title?: Title;
  /** Parts of the file that hold other branches than the current one, for turns that were read before. */
  readonly otherBranches: readonly Range[];
  /** Why reading stopped before the end. */
  readonly failure?: string;
}

export type Counts = Readonly<Record<string, number>>;

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Turns in the file's order, one at a time; what was read so far can be asked at any moment. */
export interface Reading extends Iterable<Turn> {
  report(): Report;
}

/** How one host's history is found and read. Nothing here throws for what lies on the disk: reports say it. */
export interface TranscriptReader {
  readonly host: string;
  discover(env: NodeJS.ProcessEnv, options?: Discovery): SessionFile[];
  headerOf(file: SessionFile, reach?: Reach): Header;
  read(file: SessionFile, options?: ReadOptions): Reading;
  /** Where the session stopped, read from the end of its transcript; undefined when there is no request in reach. */
  lastRequest?(path: string): LastRequest | undefined;
  /** What a person types to continue the session, in the folder that it ran in. */
  resumeCommand(session: Pick<SessionFile, "id" | "path">): string;
}

/** The readers of all hosts, by the host's name. Entry points hand it to sources, so that no source imports a host. */
export type History = ReadonlyMap<string, TranscriptReader>;

/** A function, because most moments read no history and should not load its code. */
export type LoadHistory = () => Promise<History>;
