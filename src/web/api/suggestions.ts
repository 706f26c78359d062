import type { SessionRef } from "./events.ts";

/** What a suggestion is about: how somebody works, something found out, or something about the assistant. */
type LearningKind = "pattern" | "insight" | "self_knowledge";
/** Also a check that is suggested for a rule, and a question about a rule that is broken again and again. */
export type SuggestionKind = LearningKind | "check" | "question";
export type Scope = "project" | "everywhere";

/** A suggestion that waits for the person. All texts are on one line and hide nothing. */
export interface Suggestion {
  readonly id: string;
  /** The text to remember, the check in plain words, or the question. */
  readonly text: string;
  readonly kind: SuggestionKind;
  /** What it is meant for, unless the person decides otherwise. */
  readonly scope: Scope;
  /** It belongs to a rule's file: the scope cannot be chosen. */
  readonly isFixed?: true;
  /** The rule that it comes from or is about. */
  readonly rule?: { readonly name: string; readonly path: string };
  /** Of a check: what "edit" changes. */
  readonly pattern?: string;
  /** Of a check: what it would have said in past sessions, a sentence and then places; absent until it was tried. */
  readonly tried?: readonly string[];
  /** The person's own words, or the rule's; empty if they are unknown. */
  readonly quote: string;
  /** What people call the project in which it was said. */
  readonly project?: string;
  /** The session in which it was said, if it was; without a host it cannot be opened. */
  readonly session?: { readonly id: string; readonly host?: string };
  readonly turn?: string;
  /** When it was said, or else proposed: milliseconds since 1970; null if nobody knows. */
  readonly at: number | null;
  readonly byModel: boolean;
  /** A rejected wish that it may repeat: it is held back, and shown last. */
  readonly similarTo?: string;
}

/** `GET /api/inbox` */
export interface InboxList {
  /** `none`: there is no seed yet; the first accepted suggestion creates it. */
  readonly seed: { readonly state: "none" | "unconfigured" | "ready"; readonly path: string };
  /** Oldest first, held back ones last. */
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

/** `GET /api/inbox/count`, for the navigation: without those that are held back. */
export interface InboxCount {
  readonly pending: number;
}

/** `GET /api/inbox/:id/tried`: takes seconds the first time. */
export interface Tried {
  readonly tried: readonly string[];
}

/** The answer to every decision. */
export interface Decided {
  /** Such as `Accepted "Use pnpm" for shop`. */
  readonly message: string;
  /** With which `POST /api/inbox/undo` undoes it; absent after an undo. */
  readonly batch?: string;
}

/** `GET /api/inbox/decisions`: newest first, without those that were undone. */
export interface DecisionPage {
  readonly decisions: readonly PastDecision[];
  readonly total: number;
}

export interface PastDecision {
  readonly batch: string;
  /** ISO time. */
  readonly at: string;
  readonly steps: readonly DecisionStep[];
}

export interface DecisionStep {
  readonly what: "accept" | "reject" | "mute" | "allow" | "learn" | "forget" | "supersede" | "refresh";
  readonly text: string;
  /** The suggestion's own text, if the person changed it. */
  readonly suggested?: string;
  readonly quote: string;
  readonly session?: SessionRef;
}

/** `GET /api/tombstones`: what is never suggested again, newest first. */
export interface TombstoneList {
  readonly tombstones: readonly Tombstone[];
  readonly total: number;
}

export interface Tombstone {
  readonly id: string;
  readonly text: string;
  /** A suggestion was rejected, or a learning was removed. */
  readonly why: "rejected" | "removed";
  /** ISO time; empty if it is unknown. */
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
  readonly kind: LearningKind;
  /** Empty if it holds everywhere. */
  readonly projects: readonly string[];
  readonly quote: string;
  readonly at: string;
}
