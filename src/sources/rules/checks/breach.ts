import type { Check, Reaction } from "../rule.ts";

/** More of an offending line is never shown. */
export const MAX_BREACH_TEXT = 1000;

/** A place where a rule is broken. Texts are as they were found: whoever shows them escapes and clips. */
export interface Breach {
  /** The rule's key and name. */
  readonly rule: string;
  readonly name: string;
  /** The check's id. */
  readonly check: string;
  readonly on: Check["on"];
  /** The reaction that its author asked for. Trust and the moment decide what becomes of it. */
  readonly reaction: Reaction;
  readonly message?: string;
  /** The rule is the user's own. */
  readonly isUsers?: boolean;
  /** Of an edit: the file, and the line's number if it is known. */
  readonly path?: string;
  readonly line?: number;
  /** The offending line or command; empty if something is missing. */
  readonly text: string;
  /** The same for the same text at the same place, also if its line has moved. */
  readonly place: string;
  /** Of the last one of a check: how many further places in the same call are not listed. */
  readonly more?: number;
  /** The edit gives the whole file, and nobody knows what stood there before: the line, or the file, may be an old one. */
  readonly mayBeOld?: boolean;
  /** The command that had to succeed has run, but its command line does not tell whether it succeeded. */
  readonly isHidden?: boolean;
  /** The input was too long to be checked in time. */
  readonly isUnknown?: boolean;
}

/** What checks found in one call, answer or stop. */
export interface Judged {
  readonly breaches: readonly Breach[];
  /** `rule key#check id` of every check that had something to look at. */
  readonly occasions: readonly string[];
  /** This many of them, the first ones, are of the user's own rules. */
  readonly ownOccasions?: number;
}
