/** One session in a list. Times are milliseconds since 1970; texts have no secrets and one line. */
export interface SessionRow {
  readonly host: string;
  readonly id: string;
  /** Never empty. */
  readonly name: string;
  /** `given`: by a person with Continuo; then `PATCH name: ""` gives the name back. */
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
  /** What the agent does: its own words if it said so after the last request, else the last request. */
  readonly currentIntent: string | null;
  /** What its hooks say; null if no hook of Continuo ran in it. */
  readonly activity: "working" | "idle" | "ended" | null;
  /** Since when it works or is idle. */
  readonly activeSince: number | null;
  /** It went idle and nobody has looked at it since. */
  readonly unobserved: boolean;
  readonly isChild: boolean;
  /** Its transcript was deleted by the host. */
  readonly isGone: boolean;
  readonly origin: Origin | null;
}

export interface Origin {
  readonly how: "subagent of" | "fork of" | "continues";
  readonly id: string;
}

/** A row of the list. A fork, a continuation or a subagent's session is below the session that it comes from. */
export interface ListRow extends SessionRow {
  /** 0 for a session with nothing above it. */
  readonly depth: number;
}

export interface SessionList {
  /** How many sessions match, and where `rows` begin among them. */
  readonly total: number;
  readonly offset: number;
  readonly rows: readonly ListRow[];
  /** The days of the whole list in its order, each with its number of rows. Only with `offset=0`. */
  readonly days?: readonly Day[];
  /** Unobserved sessions among all. */
  readonly unobserved: number;
  /** Sessions in the index, whatever the filter. */
  readonly indexed: number;
  /** Reading of transcripts that is under way; null if everything is indexed. */
  readonly indexing: { readonly done: number; readonly total: number } | null;
}

export interface Day {
  /** Midnight at its beginning, in the server's time zone. */
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
  /** Words of the text that match, in UTF-16 units; in order, without overlap. */
  readonly marks: readonly (readonly [from: number, to: number])[];
  readonly at: number | null;
  /** Its turn is on an abandoned branch. */
  readonly isAbandoned: boolean;
}

export interface FoundSession extends SessionRow {
  /** 0 to 1: how likely it is meant. */
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
  /** How many more match much less well than the best one. They are left out unless asked for. */
  readonly weaker: number;
  readonly offset: number;
  readonly rows: readonly FoundSession[];
  /** What was searched for instead of words that no session has; why filters match nothing. */
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
 * `PUT /api/sessions/observed`: sessions that went idle until `since` (default: now) wait for nobody. Undone by sending
 * `before` as `since`. Milliseconds since 1970.
 */
export interface ObservedSince {
  readonly since: number;
  readonly before: number;
}
