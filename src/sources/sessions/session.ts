/** One past session, as the index knows it. */
export interface PastSession {
  readonly host: string;
  readonly id: string;
  /** The project's identity, and its folder's name for people; undefined when the session names no folder. */
  readonly project?: string;
  readonly label?: string;
  readonly cwd?: string;
  readonly branch?: string;
  /** Never empty: a person's own name, else a model's that the user opted into, else the host's, else one made of the first request, else the id. */
  readonly name: string;
  readonly namedBy: NamedBy;
  /** Milliseconds since 1970. */
  readonly started: number;
  readonly modified: number;
  /** As its reader measures it. */
  readonly size: number;
  /** Its transcript. Gone when `isGone`: then only the index and the record tell of it. */
  readonly path: string;
  readonly isGone: boolean;
  /** The session whose subagent this is; then it is a child. */
  readonly parent?: string;
  readonly isChild: boolean;
  /** The session that this one began as a copy of: an id where one is known, else the host's words for it. */
  readonly forkOf?: string;
  /** The session that this one goes on with, without a copy of it. */
  readonly continues?: string;
  readonly counts: Counts;
}

/** `given`: with `continuo sessions name`; `person`: in the host; `model`: with a record. The first that there is wins. */
export type NamedBy = "given" | "person" | "model" | "host" | "us";

export interface Counts {
  readonly turns: number;
  /** Turns in which a person asked for something. */
  readonly prompts: number;
  readonly passages: number;
  readonly compactions: number;
}

export interface SessionKey {
  readonly host: string;
  readonly id: string;
}

/** A stretch of one turn, about 1,500 characters, with secrets redacted. */
export interface Passage {
  /** Its place in the session, from 0 on. */
  readonly at: number;
  readonly turn: string;
  readonly role: "user" | "assistant" | "summary";
  /** The tools that were called, a line each with their files or commands; nothing that was said. */
  readonly isCalls: boolean;
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly time?: number;
  /** The session went another way from an earlier point: this was said, and is no longer part of its story. */
  readonly isLeft?: true;
}

export interface RankedPassage extends Passage {
  /** 0 to 1: the share of what a perfect match of all the question's words would score. */
  readonly score: number;
  /** The part that shows why it was found, on one line. */
  readonly snippet: string;
}
