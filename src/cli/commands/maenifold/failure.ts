import { describeError } from "../../../base/errors.ts";
import { contractCode, tellContract } from "../../../sources/memory/notes/failures.ts";

/** A wrong call of `--tool`, with the error codes of maenifold. */
export class CallError extends Error {
  readonly code: "UNKNOWN_TOOL" | "INVALID_PAYLOAD" | "INVALID_ARGUMENT";

  constructor(code: CallError["code"], message: string) {
    super(message);
    this.name = "CallError";
    this.code = code;
  }
}

export interface Failure {
  readonly code: string;
  readonly message: string;
}

const CODES: Readonly<Record<string, string>> = {
  usage: "INVALID_ARGUMENT",
  "invalid-argument": "INVALID_ARGUMENT",
  "timespan-invalid": "INVALID_ARGUMENT",
  "input-too-large": "VALIDATION_ERROR",
  "query-empty": "INVALID_ARGUMENT",
  "semantic-missing": "INVALID_ARGUMENT",
};

/** Any error in the form of maenifold's contract. */
export function failureOf(error: unknown): Failure {
  if (error instanceof CallError) return { code: error.code, message: error.message };
  const { code } = describeError(error);
  return { code: contractCode(error) ?? CODES[code] ?? "INTERNAL_ERROR", message: tellContract(error) };
}
