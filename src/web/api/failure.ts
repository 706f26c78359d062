/** The body of every answer that is not successful. */
export interface Failure {
  readonly error: {
    readonly code: string;
    readonly message: string;
    /** What to do about it. */
    readonly hint?: string;
  };
}
