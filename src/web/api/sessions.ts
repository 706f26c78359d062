/** A session in a list. Times are milliseconds since 1970; texts are one line without secrets. */
export interface SessionRow {
  readonly host: string;
  readonly id: string;
  /** Never empty. */
  readonly name: string;
  /** `given`: by the user with Continuo; then `PATCH name: ""` restores the original name. */
  readonly namedBy: "given" | "person" | "model" | "host" | "us";
  /** The project's label, and its identity for the filter. */
  readonly project: string | null;
  readonly projectId: string | null;
  readonly branch: string | null;
  readonly started: number;
  readonly modified: number;
  readonly turns: number;
  readonly prompts: number;
  readonly lastRequest: string | null;
  /** What the agent is doing: its own words if it said so after the last request, else the last request. */
  readonly currentIntent: string | null;
  /** The state according to its hooks; null if no hook of Continuo ran in it. */
  readonly activity: "working" | "idle" | "ended" | null;
  /** Since when it has been working or idle. */
  readonly activeSince: number | null;
  /** Whether it went idle and nobody has looked at it since. */
  readonly unobserved: boolean;
  readonly isChild: boolean;
  /** Whether the host has deleted its transcript. */
  readonly isGone: boolean;
  readonly origin: Origin | null;
}

export interface Origin {
  readonly how: "subagent of" | "fork of" | "continues";
  readonly id: string;
}

/** A row of the list. A fork, a continuation or a subagent's session follows the session that it comes from. */
export interface ListRow extends SessionRow {
  /** How many sessions are above it in its family. */
  readonly depth: number;
}

export interface SessionList {
  /** How many sessions match, and the position of `rows` among them. */
  readonly total: number;
  readonly offset: number;
  readonly rows: readonly ListRow[];
  /** All days of the list in order, each with its number of rows. Only with `offset=0`. */
  readonly days?: readonly Day[];
  /** The total number of unobserved sessions. */
  readonly unobserved: number;
  /** The number of indexed sessions, regardless of the filter. */
  readonly indexed: number;
  /** The progress of reading transcripts; null if everything is indexed. */
  readonly indexing: { readonly done: number; readonly total: number } | null;
}

export interface Day {
  /** The beginning of the day, in the server's time zone. */
  readonly at: number;
  readonly count: number;
}

export interface SessionFilters {
  readonly hosts: readonly FilterValue[];
  readonly projects: readonly FilterValue[];
  readonly branches: readonly FilterValue[];
}

export interface FilterValue {
  readonly value: string;
  readonly label: string;
  readonly count: number;
}

export interface FoundPassage {
  readonly role: "user" | "assistant" | "summary";
  readonly turn: string;
  readonly text: string;
  /** Matching words of the text, in UTF-16 units; in order, without overlap. */
  readonly marks: readonly (readonly [from: number, to: number])[];
  readonly at: number | null;
  /** Whether its turn is on an abandoned branch. */
  readonly isAbandoned: boolean;
}

export interface FoundSession extends SessionRow {
  /** How likely it is the one meant, from 0 to 1. */
  readonly score: number;
  readonly passage: FoundPassage | null;
  /** Sessions that match in the same words, such as forks. They have no rows of their own; at most 20 are shown. */
  readonly copies: {
    readonly total: number;
    readonly shown: readonly {
      readonly host: string;
      readonly id: string;
      readonly name: string;
      readonly modified: number;
    }[];
  };
}

export interface SessionSearch {
  readonly total: number;
  /** How many more match much less well than the best one. They are left out unless requested. */
  readonly weaker: number;
  readonly offset: number;
  readonly rows: readonly FoundSession[];
  /** What was searched for instead of words that no session contains; why filters match nothing. */
  readonly notices: readonly string[];
}

/** One session: its row, its metadata, and how to resume it. */
export interface SessionDetails extends Partial<SessionRow> {
  readonly sessionId: string;
  readonly host: string;
  readonly name: string;
  readonly context: Readonly<Record<string, readonly string[]>>;
  readonly envHint?: string;
  readonly currentIntent?: string | null;
  readonly cwd?: string;
  /** The command that resumes it in its host; null for a subagent's session and if the transcript is gone. */
  readonly resume?: string | null;
}

/**
 * `PUT /api/sessions/observed`: marks sessions that went idle until `since` (default: now) as seen. Undone by sending
 * `before` as `since`. Milliseconds since 1970.
 */
export interface ObservedSince {
  readonly since: number;
  readonly before: number;
}
