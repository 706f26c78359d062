/** A session as another one's page names it. */
export interface RelatedSession {
  readonly host: string;
  readonly id: string;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly modified: number;
  readonly isGone: boolean;
}

export type Relation = "subagent of" | "fork of" | "continues";

export interface Lineage {
  /** Nearest first. `session` is missing if the index does not know it. */
  readonly ancestors: readonly {
    readonly how: Relation;
    readonly id: string;
    readonly session?: RelatedSession;
  }[];
  /** Newest first. */
  readonly descendants: readonly { readonly how: Relation; readonly session: RelatedSession }[];
  /** How many there are, if not all are listed. */
  readonly descendantsOf?: number;
}

/** How to go on with a session. */
export interface Continuing {
  /** The host's own command; null for a subagent's session and if the transcript is gone. */
  readonly resume: string | null;
  /** A text that tells a new session in any host what this one came to; null for a session without text. */
  readonly handoff: string | null;
}

interface RecordLine {
  readonly text: string;
  readonly turn: string;
}

/** The summary of a session, in parts. */
export interface SessionSummary {
  readonly name: string;
  readonly description: string;
  /** Markdown. */
  readonly summary: string;
  readonly tags: readonly string[];
  /** The model that wrote it; null if it was extracted without one. */
  readonly model: string | null;
  readonly updatedAt: string;
  readonly parts: readonly { readonly title: string; readonly lines: readonly RecordLine[] }[];
  /** The session is long: the parts come from its beginning and its end. */
  readonly isPart?: true;
}
