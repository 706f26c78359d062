import { noteFailure } from "./failures.ts";

/** The bytes that a name may have, so that the name of an unfinished file still fits everywhere. */
const MAX_NAME = 200;
const MAX_PATH = 1000;

/** New names must work on every system: the folder may be synced to another one. What exists already is only read. */
export function assertNameable(segments: readonly string[]): void {
  for (const segment of segments) {
    if (
      /[<>:"|?*\x00-\x1f\x7f]/.test(segment) ||
      /[. ]$/.test(segment) ||
      segment.startsWith(".") ||
      segment === "node_modules"
    ) {
      throw noteFailure(
        "note-path",
        `"${segment.replace(/[\x00-\x1f\x7f]/g, "\ufffd")}" cannot be the name of a note or a folder of notes`,
        'leave out < > : " | ? *, a dot at the beginning, and a dot or a space at the end',
      );
    }
    if (Buffer.byteLength(segment) > MAX_NAME) throw tooLong(`a name of ${Buffer.byteLength(segment)} bytes`);
  }
  const length = segments.reduce((sum, segment) => sum + Buffer.byteLength(segment) + 1, 0);
  if (length > MAX_PATH) throw tooLong(`a path of ${length} bytes`);
}

function tooLong(what: string): Error {
  return noteFailure(
    "note-path-long",
    `${what} is too long`,
    `a name may have ${MAX_NAME}, a path ${MAX_PATH}`,
  );
}
