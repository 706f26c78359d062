import { ContinuoError } from "../../../base/errors.ts";
import { fingerprint } from "../../../base/fingerprint.ts";
import type { SessionFile } from "../../../moments/ports/history.ts";

/**
 * A place in a session's transcripts: the file and the offset in it, in the measure of its reader. It stays right while
 * the session grows.
 */
export interface Place {
  readonly file: number;
  readonly offset: number;
  /** Inside a line that is too long. */
  readonly isWithin?: true;
}

export function placeText(files: readonly SessionFile[], { file, offset, isWithin }: Place): string {
  const one = files[file];
  return `${one === undefined ? "" : nameOf(one)}.${offset}${isWithin ? "w" : ""}`;
}

/** Undefined for a transcript that the session does not have any more. */
export function readPlace(files: readonly SessionFile[], text: string): Place | undefined {
  const [, name, offset, within] = /^([\da-f]{8})\.(\d{1,15})(w?)$/.exec(text) ?? [];
  if (name === undefined)
    throw new ContinuoError("invalid-request", "the cursor is not one that this server gave", {
      hint: "ask without a cursor for the end of the conversation",
    });
  const file = files.findIndex((one) => nameOf(one) === name);
  return file === -1
    ? undefined
    : { file, offset: Number(offset), ...(within === "w" ? { isWithin: true as const } : {}) };
}

const nameOf = ({ path, key = "" }: SessionFile): string => fingerprint(`${path}\0${key}`).slice(0, 8);
