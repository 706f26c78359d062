/**
 * An expected failure with a stable code, a message about what went wrong, and a `hint` about how to fix it. Any other
 * error is a bug.
 *
 * Hints contain names of files, rules and sessions that others chose. A line break in such a name must not look like a
 * line by Continuo, so a hint is one line. A hint with several lines is given as a list.
 */
export class ContinuoError extends Error {
  readonly code: string;
  readonly hint: string | undefined;

  constructor(
    code: string,
    message: string,
    options: { hint?: string | readonly string[]; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "ContinuoError";
    this.code = code;
    this.hint = options.hint === undefined ? undefined : [options.hint].flat().map(asLine).join("\n");
  }
}

function asLine(text: string): string {
  return text.replace(/\s*[\n\r\v\f\u0085\u2028\u2029]\s*/g, " ");
}

/** Turns any thrown value into a code, a message and a hint, for a record or a user. */
export function describeError(error: unknown): { code: string; message: string; hint?: string } {
  if (isContinuoError(error)) {
    return error.hint === undefined
      ? { code: error.code, message: error.message }
      : { code: error.code, message: error.message, hint: error.hint };
  }
  if (error instanceof Error) {
    const system = (error as NodeJS.ErrnoException).code;
    return { code: typeof system === "string" ? system : "bug", message: error.message };
  }
  return { code: "bug", message: String(error) };
}

/** What failed, and what to do about it, for somebody who can act on it. */
export function whatFailed(error: unknown): string {
  const { message, hint } = describeError(error);
  return hint === undefined ? message : `${message}; ${hint}`;
}

/** The same for an expected failure. A bug is thrown on, because nobody who asked can act on it. */
export function whyRefused(error: unknown): string {
  if (describeError(error).code === "bug") throw error;
  return whatFailed(error);
}

/** Checks the name, because a program that is bundled into several files has several copies of the class. */
export function isContinuoError(error: unknown): error is ContinuoError {
  return error instanceof Error && error.name === "ContinuoError";
}

/** The system's own code (`ENOENT`, `ENOSPC`, …) of an error, if it has one. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = (error as NodeJS.ErrnoException).code;
  return typeof code === "string" ? code : undefined;
}

/** Whether a system call failed: for example, a file was removed or is not readable, or the disk failed. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).syscall === "string";
}
