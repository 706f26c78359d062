import type { LoadHistory } from "./history.ts";

/** What waits for the person's decision, whichever source suggests it. Types only. */

export type Scope = "project" | "everywhere";

/** A suggestion that waits. All texts are safe to show: one line each, nothing hidden. */
export interface Suggestion {
  readonly id: string;
  /** Something to remember, a check of a rule, or a question about a rule that is broken again and again. */
  readonly kind: "pattern" | "insight" | "self_knowledge" | "check" | "question";
  /** The text to remember, the check in plain words, or the question. */
  readonly text: string;
  /** What it is meant for, unless the user decides otherwise. */
  readonly scope: Scope;
  /** Its place cannot be chosen: it belongs to a rule's file. */
  readonly isFixed?: true;
  /** The words that it comes from: the user's own, or the rule's. Empty if they are unknown. */
  readonly quote: string;
  /** What people call the project that it comes from. */
  readonly project?: string;
  readonly host?: string;
  readonly session?: string;
  /** The file that it was imported from, instead of a session: `CLAUDE.md, line 12`. */
  readonly file?: string;
  /** The turn of the session in which it was said, if that is known. */
  readonly turn?: string;
  /** When it was said, or else proposed: milliseconds since 1970. */
  readonly at: number;
  /** A model proposed it; otherwise a pattern found it. */
  readonly byModel: boolean;
  /** A rejected one that it may repeat: it is held back, shown last and in no notice. */
  readonly similarTo?: string;
  /** The rule that it comes from or is about. */
  readonly rule?: { readonly name: string; readonly path: string };
  /** What "edit" changes, if that is not the text: a check's pattern. */
  readonly pattern?: string;
  /**
   * Of a check: what it would have said in past sessions, a sentence and then places; absent if that was not tried yet. Of a
   * question: what happened.
   */
  readonly tried?: readonly string[];
}

export interface AcceptChoice {
  /** The user's wording, or pattern, instead of the proposed one. */
  readonly text?: string;
  readonly scope?: Scope;
}

export interface SuggestionAnswer {
  /** False if nothing was done, as when it was decided in another window. */
  readonly done: boolean;
  /** What was done, or why nothing was, for people: `Accepted "Use pnpm" for shop`. */
  readonly message: string;
  /** With which exactly this decision is undone. */
  readonly batch?: string;
  /** The person's own text cannot be used: the same suggestion is asked again. */
  readonly isAskedAgain?: true;
}

/** The user's decisions about the suggestions of one source, or of all. */
export interface Suggestions {
  /** Oldest first, those that are held back last. Throws if the source's file is damaged. */
  list(): Suggestion[];
  accept(id: string, choice?: AcceptChoice): Promise<SuggestionAnswer>;
  /** It is not suggested again, in other words neither. */
  reject(id: string): Promise<SuggestionAnswer>;
  /** Of a question: the rule is muted. */
  mute?(id: string): Promise<SuggestionAnswer>;
  /** Undoes the last decision, or the batch that is given. */
  withdraw(batch?: string): Promise<SuggestionAnswer>;
  /** The last decision that can be undone. */
  last(): { readonly batch: string; readonly at: number } | undefined;
  /** The same suggestion with what takes seconds to find out, such as its result on past sessions. */
  look?(one: Suggestion): Promise<Suggestion>;
}

export interface SuggestionOptions {
  /** Continuo's home. */
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly now?: () => number;
  readonly lockWaitMs?: number;
  /** Past sessions, on which a check is tried. Without it nothing is tried. */
  readonly history?: LoadHistory;
}

export type OpenSuggestions = (options: SuggestionOptions) => Suggestions;
