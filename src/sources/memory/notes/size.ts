import { noteFailure } from "./failures.ts";
import { MAX_NOTE_BYTES } from "./note-text.ts";

/** What is longer could be written, but never be read again. */
export function assertReadable(text: string): void {
  if (Buffer.byteLength(text) <= MAX_NOTE_BYTES) return;
  throw noteFailure(
    "note-invalid",
    `the note would have more than ${MAX_NOTE_BYTES / 2 ** 20} MB`,
    "make several notes of it that link to each other",
  );
}
