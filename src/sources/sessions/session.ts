/** A past session, as the index knows it. */
export interface PastSession {
  readonly host: string;
  readonly id: string;
  /** The project's identity, and its folder's name for display; undefined when the session names no folder. */
  readonly project?: string;
  readonly label?: string;
  readonly cwd?: string;
  readonly branch?: string;
  /**
   * Never empty. The first of: a name given by the user, by a model that the user opted into, by the host, one derived
   * from the first request, the id.
   */
  readonly name: string;
  readonly namedBy: NamedBy;
  /** Milliseconds since 1970. */
  readonly started: number;
  readonly modified: number;
  /** In the unit of its reader. */
  readonly size: number;
  /** Its transcript. If `isGone`, the file no longer exists, and only the index and the record remain. */
  readonly path: string;
  readonly isGone: boolean;
  /** The session that started this one as a subagent; set only for a child. */
  readonly parent?: string;
  readonly isChild: boolean;
  /** The session that this one began as a copy of: its id if known, else the host's text for it. */
  readonly forkOf?: string;
  /** The session that this one continues, without a copy of it. */
  readonly continues?: string;
  readonly counts: Counts;
}

/**
 * Who named it, highest precedence first. `given`: `continuo sessions name`; `person`: by the user in the host;
 * `model`: with a record; `us`: Continuo.
 */
export type NamedBy = "given" | "person" | "model" | "host" | "us";

export interface Counts {
  readonly turns: number;
  /** Turns in which the user asked for something. */
  readonly prompts: number;
  readonly passages: number;
  readonly compactions: number;
}

/** One project: its identity or label, or the identities of all its places on this machine. */
export type ProjectIds = string | readonly string[];

export interface SessionKey {
  readonly host: string;
  readonly id: string;
}

/** Part of one turn, about 1,500 characters, with secrets redacted. */
export interface Passage {
  /** Its position in the session, from 0. */
  readonly at: number;
  readonly turn: string;
  readonly role: "user" | "assistant" | "summary";
  /** Set if it lists tool calls, one per line with files or command, and no spoken text. */
  readonly isCalls: boolean;
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly time?: number;
  /** The turn is on an abandoned branch: the session went back to an earlier point. `--json` publishes this name. */
  readonly isLeft?: true;
}

export interface RankedPassage extends Passage {
  /** 0 to 1: the share of the score of a perfect match of all the question's words. */
  readonly score: number;
  /** The part that matches, on one line. */
  readonly snippet: string;
  /** The words of the snippet that match, from and to; only in answers of `search`. */
  readonly marks?: readonly (readonly [from: number, to: number])[];
}
