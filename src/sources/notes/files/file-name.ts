import { noteFailure } from "./failures.ts";

/** In bytes; leaves space for the longer name of a temporary file. */
const MAX_NAME = 200;
const MAX_PATH = 1000;

/** New names must be valid on every system, because the folder may be synced to another one. Existing names are not checked. */
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
        `"${segment.replace(/[\x00-\x1f\x7f]/g, "\ufffd")}" is not a valid name for a note or a folder`,
        'avoid < > : " | ? *, a dot at the beginning, and a dot or a space at the end',
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
    `the limit is ${MAX_NAME} for a name and ${MAX_PATH} for a path`,
  );
}
