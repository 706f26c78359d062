/** A session as shown on another session's page. */
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
  /** Nearest first. `session` is absent if the index does not know it. */
  readonly ancestors: readonly {
    readonly how: Relation;
    readonly id: string;
    readonly session?: RelatedSession;
  }[];
  /** Newest first. */
  readonly descendants: readonly { readonly how: Relation; readonly session: RelatedSession }[];
  /** The total number, if not all are listed. */
  readonly descendantsOf?: number;
}

/** How to continue a session. */
export interface Continuing {
  /** The host's own command; null for a subagent's session, or if the transcript is gone. */
  readonly resume: string | null;
  /** A text that tells a new session in any host the result of this one; null for a session without text. */
  readonly handoff: string | null;
}

interface RecordLine {
  readonly text: string;
  readonly turn: string;
}

/** The summary of a session, as parts. */
export interface SessionSummary {
  readonly name: string;
  readonly description: string;
  /** Markdown. */
  readonly summary: string;
  readonly tags: readonly string[];
  /** The model that wrote it; null if no model did. */
  readonly model: string | null;
  readonly updatedAt: string;
  readonly parts: readonly { readonly title: string; readonly lines: readonly RecordLine[] }[];
  /** Set for a long session: the parts come only from its beginning and end. */
  readonly isPart?: true;
}
