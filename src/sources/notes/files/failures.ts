import { ContinuoError, describeError } from "../../../base/errors.ts";

/** Errors about notes: Continuo's error codes, each with the code of maenifold's command line. */
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

type NoteFailure = keyof typeof NOTE_FAILURES;

/** Wordings for the reader of a hint: a user types commands, a model calls tools, a program uses maenifold's tools. */
interface Reader {
  readonly search: string;
  readonly read: string;
  readonly edit: string;
  /** The names of an edit's parameters. */
  readonly find: string;
  readonly count: string;
  readonly section: string;
}

const PERSON: Reader = {
  search: "continuo search",
  read: "continuo read --info",
  edit: "continuo edit",
  find: "--find",
  count: "--expected",
  section: "--section",
};
const MODEL: Reader = {
  search: "search_memories",
  read: "read_memory",
  edit: "edit_memory",
  find: "find",
  count: "count",
  section: "section",
};
const CONTRACT: Reader = {
  search: "SearchMemories",
  read: "ReadMemory",
  edit: "EditMemory",
  find: "findText",
  count: "expectedCount",
  section: "sectionName",
};

/** Its `hint` is for a user; `hintFor` returns the hint for another reader. */
class NoteError extends ContinuoError {
  readonly hintFor: (reader: Reader) => string;

  constructor(code: NoteFailure, message: string, hintFor: (reader: Reader) => string) {
    super(code, message, { hint: hintFor(PERSON) });
    this.hintFor = hintFor;
  }
}

export function noteFailure(
  code: NoteFailure,
  message: string,
  /** A function if the hint names commands or tools, which must be those that the reader has. */
  hint: string | ((reader: Reader) => string),
): ContinuoError {
  return new NoteError(code, message, typeof hint === "string" ? () => hint : hint);
}

/** The error and its hint in one sentence, for a model. */
export const tellModel = (error: unknown): string => tell(error, MODEL);

/** maenifold's contract has no field for a hint, so it is part of the message. */
export const tellContract = (error: unknown): string => tell(error, CONTRACT);

function tell(error: unknown, reader: Reader): string {
  const { message, hint } = describeError(error);
  const said = error instanceof NoteError ? error.hintFor(reader) : hint;
  return said === undefined ? message : `${message}; ${said}`;
}

/** maenifold's code for an error; undefined if the error is not about a note. */
export function contractCode(error: unknown): string | undefined {
  if (!(error instanceof ContinuoError) || !(error.code in NOTE_FAILURES)) return undefined;
  return NOTE_FAILURES[error.code as NoteFailure];
}
