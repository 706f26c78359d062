import type { PastDecision, Suggestion as Pending } from "../../moments/ports/suggestions.ts";

export type { PastDecision, PastStep, Scope } from "../../moments/ports/suggestions.ts";
export type SuggestionKind = Pending["kind"];

/** A pending suggestion. */
export interface Suggestion extends Omit<Pending, "host" | "session" | "file" | "at"> {
  /** The session in which it was said, if any; without a host it cannot be opened. */
  readonly session?: { readonly id: string; readonly host?: string };
  /** Null if unknown. */
  readonly at: number | null;
}

/** `GET /api/inbox` */
export interface InboxList {
  /** `none`: there is no seed yet; the first accepted suggestion creates it. */
  readonly seed: { readonly state: "none" | "unconfigured" | "ready"; readonly path: string };
  /** Oldest first, but held-back ones last. */
  readonly pending: readonly Suggestion[];
  readonly counts: InboxCounts;
}

export interface InboxCounts {
  readonly pending: number;
  /** How many of them are similar to a rejected wish. */
  readonly heldBack: number;
  readonly decided: number;
  readonly rejected: number;
  readonly learned: number;
}

/** `GET /api/inbox/count`, for the navigation: without held-back ones. */
export interface InboxCount {
  readonly pending: number;
}

/** `GET /api/inbox/:id/tried`: takes seconds the first time. */
export interface Tried {
  readonly tried: readonly string[];
}

/** The answer to every decision. */
export interface Decided {
  /** For example `Accepted "Use pnpm" for shop`. */
  readonly message: string;
  /** Pass it to `POST /api/inbox/undo` to undo the decision; absent after an undo. */
  readonly batch?: string;
}

/** `GET /api/inbox/decisions`: newest first, without those that were undone. */
export interface DecisionPage {
  readonly decisions: readonly PastDecision[];
  readonly total: number;
}

/** `GET /api/tombstones`: what is never suggested again, newest first. */
export interface TombstoneList {
  readonly tombstones: readonly Tombstone[];
  readonly total: number;
}

export interface Tombstone {
  readonly id: string;
  readonly text: string;
  /** Why it is never suggested again: a suggestion was rejected, or a learning was removed. */
  readonly why: "rejected" | "removed";
  /** ISO time; empty if unknown. */
  readonly at: string;
}

/** `GET /api/learnings`: most recently confirmed first. */
export interface LearningList {
  readonly learnings: readonly LearningRow[];
  readonly total: number;
}

interface LearningRow {
  readonly id: string;
  readonly text: string;
  readonly kind: Exclude<SuggestionKind, "check" | "question">;
  /** Empty if it applies everywhere. */
  readonly projects: readonly string[];
  readonly quote: string;
  readonly at: string;
}
