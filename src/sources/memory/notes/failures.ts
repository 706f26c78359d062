import { ContinuoError } from "../../../base/errors.ts";

/**
 * What can go wrong with a note, and how maenifold's command line calls it. The keys are the codes of our errors; the one
 * place where the two spellings meet.
 */
const NOTE_FAILURES = {
  "note-not-found": "NOT_FOUND",
  "note-ambiguous": "INVALID_ARGUMENT",
  "note-exists": "VALIDATION_ERROR",
  "note-changed": "VALIDATION_ERROR",
  "note-unreadable": "VALIDATION_ERROR",
  "note-invalid": "INVALID_ARGUMENT",
  "note-read-only": "PATH_VALIDATION_ERROR",
  "note-path": "PATH_VALIDATION_ERROR",
  "note-path-long": "PATH_TOO_LONG",
  "note-unconfirmed": "CONFIRMATION_REQUIRED",
  "wikilink-required": "WIKILINK_REQUIRED",
  "wikilinks-filtered": "FILTERED_WIKILINKS",
} as const;

export type NoteFailure = keyof typeof NOTE_FAILURES;

export function noteFailure(code: NoteFailure, message: string, hint: string): ContinuoError {
  return new ContinuoError(code, message, { hint });
}

/** maenifold's code of an error, for whoever speaks its contract; undefined when it is not about a note. */
export function contractCode(error: unknown): string | undefined {
  if (!(error instanceof ContinuoError) || !(error.code in NOTE_FAILURES)) return undefined;
  return NOTE_FAILURES[error.code as NoteFailure];
}
