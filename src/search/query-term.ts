/** A word of a query, and what counts as that word. */
export interface QueryTerm {
  readonly word: string;
  /** The best first. Empty: nothing in the index has it. */
  readonly matches: readonly Match[];
}

export interface Match {
  /** All in one passage: "codebase" also matches "code" with "base". */
  readonly terms: readonly string[];
  /** 1 for the word itself, less for the others. */
  readonly weight: number;
  /** The classes of the forms that were typed (postings.ts); 0 if none is preferred. */
  readonly form: number;
  readonly how: "word" | "joined" | "split" | "typo" | "prefix";
}
