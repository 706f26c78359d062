import type { Check, Reaction } from "../rule.ts";

/** How much of an offending line is kept. */
export const MAX_BREACH_TEXT = 1000;

/** A place where a rule is broken. Texts are unchanged: the code that shows them escapes and clips. */
export interface Breach {
  /** The rule's key and name. */
  readonly rule: string;
  readonly name: string;
  /** The check's id. */
  readonly check: string;
  readonly on: Check["on"];
  /** The reaction that its author asked for. Trust and the moment decide the actual one. */
  readonly reaction: Reaction;
  readonly message?: string;
  /** Whether the rule is the user's own. */
  readonly isUsers?: boolean;
  /** For an edit: the file, and the line's number if known. */
  readonly path?: string;
  readonly line?: number;
  /** The offending line or command; empty if something is missing. */
  readonly text: string;
  /** Equal for the same text at the same place, even if its line has moved. */
  readonly place: string;
  /** For the last breach of a check: how many further places in the same call are not listed. */
  readonly more?: number;
  /** The edit contains the whole file and its previous content is unknown, so the line, or the file, may not be new. */
  readonly mayBeOld?: boolean;
  /** The required command has run, but its command line does not show whether it succeeded. */
  readonly isHidden?: boolean;
  /** The input was too long to be checked in time. */
  readonly isUnknown?: boolean;
}

/** What checks found in one call, answer or stop. */
export interface Judged {
  readonly breaches: readonly Breach[];
  /** `rule key#check id` of every check that was applied. */
  readonly occasions: readonly string[];
  /** How many of them belong to the user's own rules; these come first. */
  readonly ownOccasions?: number;
}
