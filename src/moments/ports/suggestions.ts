import type { LoadHistory } from "./history.ts";

/** Suggestions of all sources that wait for the user's decision. Types only. */

export type Scope = "project" | "everywhere";

/** A pending suggestion. All texts are safe to show: one line each, nothing hidden. */
export interface Suggestion {
  readonly id: string;
  /** Something to remember, a check of a rule, or a question about a rule that is broken repeatedly. */
  readonly kind: "pattern" | "insight" | "self_knowledge" | "check" | "question";
  /** The text to remember, the check in plain words, or the question. */
  readonly text: string;
  /** What it applies to, unless the user decides otherwise. */
  readonly scope: Scope;
  /** Set if its place cannot be chosen, because it belongs to a rule's file. */
  readonly isFixed?: true;
  /** The words that it is derived from: the user's own, or the rule's. Empty if unknown. */
  readonly quote: string;
  /** The name of the project that it comes from. */
  readonly project?: string;
  readonly host?: string;
  readonly session?: string;
  /** The file that it was imported from, if not from a session: `CLAUDE.md, line 12`. */
  readonly file?: string;
  /** The turn of the session in which it was said, if known. */
  readonly turn?: string;
  /** When it was said, or else proposed: milliseconds since 1970. */
  readonly at: number;
  /** Whether a model proposed it; otherwise a pattern found it. */
  readonly byModel: boolean;
  /** A rejected suggestion that it may repeat: then it is held back, shown last and not counted in notices. */
  readonly similarTo?: string;
  /** The rule that it comes from or is about. */
  readonly rule?: { readonly name: string; readonly path: string };
  /** What "edit" changes, if not the text: a check's pattern. */
  readonly pattern?: string;
  /**
   * For a check: what it would have reported in past sessions, a sentence and then places; absent if not tried yet. For
   * a question: what happened.
   */
  readonly tried?: readonly string[];
}

export interface AcceptChoice {
  /** The user's own wording or pattern, instead of the proposed one. */
  readonly text?: string;
  readonly scope?: Scope;
}

export interface SuggestionAnswer {
  /** False if nothing was done, for example because it was decided in another window. */
  readonly done: boolean;
  /** What was done, or why nothing was, to show: `Accepted "Use pnpm" for shop`. */
  readonly message: string;
  /** Identifies the decision, to undo exactly this one. */
  readonly batch?: string;
  /** The user's own text cannot be used, so the same suggestion is asked again. */
  readonly isAskedAgain?: true;
}

/** A decision that was not undone. */
export interface PastDecision {
  /** The argument that undoes it. */
  readonly batch: string;
  /** ISO time. */
  readonly at: string;
  readonly steps: readonly PastStep[];
}

export interface PastStep {
  readonly what: "accept" | "reject" | "mute" | "allow" | "learn" | "forget" | "supersede" | "refresh";
  readonly text: string;
  /** The suggestion's own text, if the person changed it. */
  readonly suggested?: string;
  readonly quote: string;
  readonly session?: { readonly host: string; readonly id: string };
}

/** The suggestions of one source, or of all, and the user's decisions about them. */
export interface Suggestions {
  /** Oldest first, but held-back ones last. Throws if the source's file is damaged. */
  list(): Suggestion[];
  accept(id: string, choice?: AcceptChoice): Promise<SuggestionAnswer>;
  /** Rejected: not suggested again, not even in other words. */
  reject(id: string): Promise<SuggestionAnswer>;
  /** For a question: mutes the rule. */
  mute?(id: string): Promise<SuggestionAnswer>;
  /** Undoes the last decision, or the given one. */
  withdraw(batch?: string): Promise<SuggestionAnswer>;
  /** Decisions that can be undone, newest first. */
  past(): readonly PastDecision[];
  /** The same suggestion with details that take seconds to compute, such as its result on past sessions. */
  look?(one: Suggestion): Promise<Suggestion>;
}

export interface SuggestionOptions {
  /** Continuo's home. */
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly now?: () => number;
  /** Past sessions to try a check on. Without it nothing is tried. */
  readonly history?: LoadHistory;
}

export type OpenSuggestions = (options: SuggestionOptions) => Suggestions;
