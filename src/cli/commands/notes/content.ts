import { fstatSync } from "node:fs";
import { resolve } from "node:path";
import { ContinuoError, systemCode } from "../../../base/errors.ts";
import type { Edit } from "../../../sources/memory/notes/edit-text.ts";
import { noteFailure } from "../../../sources/memory/notes/failures.ts";
import type { Note } from "../../../sources/memory/notes/note.ts";
import { MAX_NOTE_BYTES } from "../../../sources/memory/notes/note-text.ts";
import { withFile } from "../../../store/read-file.ts";
import type { Input } from "../../command.ts";
import { readInput } from "../../terminal/input.ts";
import { textOption } from "../../terminal/options.ts";

/** What to write: an argument, `--file`, or standard input. */
export function contentOf(input: Input, given: string | undefined): string {
  const file = textOption(input, "file");
  if (file !== undefined && given !== undefined)
    throw new ContinuoError("usage", "there is a text and a --file", { hint: "give one of them" });
  if (file !== undefined && file !== "-") return fromFile(resolve(input.cwd, file));
  if (given !== undefined && given !== "-") return bounded(given);
  // At a terminal, waiting for input looks like hanging.
  if (given === undefined && file === undefined && fstatSync(input.stdin).isCharacterDevice()) {
    throw new ContinuoError("usage", "there is no text", {
      hint: "give it as an argument, with --file FILE, or on standard input",
    });
  }
  return readInput(input.stdin, MAX_NOTE_BYTES);
}

function fromFile(path: string): string {
  try {
    return withFile(path, ({ descriptor }) => readInput(descriptor, MAX_NOTE_BYTES, path));
  } catch (error) {
    if (error instanceof ContinuoError) throw error;
    const why = systemCode(error) === "not-a-file" ? "is no file" : `cannot be read (${systemCode(error)})`;
    throw new ContinuoError("no-such-file", `${path} ${why}`, {
      hint: "give --file a text file that exists",
    });
  }
}

/** A note that could not be read again must not be written. */
export function bounded(text: string): string {
  if (Buffer.byteLength(text) <= MAX_NOTE_BYTES) return text;
  throw new ContinuoError("input-too-large", `the text has more than ${MAX_NOTE_BYTES / 2 ** 20} MB`, {
    hint: "keep large texts as files of their own and write a note about them",
  });
}

export const OPERATIONS = ["append", "prepend", "find_replace", "replace_section"] as const;

export interface EditWords {
  readonly operation: (typeof OPERATIONS)[number];
  readonly content: string;
  readonly findText?: string;
  readonly expectedCount?: number;
  readonly sectionName?: string;
}

/** An edit, once it has everything that its operation needs. */
export function editOf({ operation, content, findText, expectedCount, sectionName }: EditWords): Edit {
  switch (operation) {
    case "find_replace":
      if (findText === undefined)
        throw noteFailure("note-invalid", "find_replace needs the text to find", "give findText (--find)");
      return { operation, content, findText, ...(expectedCount === undefined ? {} : { expectedCount }) };
    case "replace_section":
      if (sectionName === undefined)
        throw noteFailure("note-invalid", "replace_section needs a heading", "give sectionName (--section)");
      return { operation, content, sectionName };
    default:
      return { operation, content };
  }
}

/** A note of which nothing can be shown is an error, not an empty text. */
export function assertReadable(note: Note): Note {
  const [problem] = note.problems;
  if (note.body !== "" || note.size === 0 || problem === undefined) return note;
  throw noteFailure(
    "note-unreadable",
    `${note.uri} cannot be shown: ${problem}`,
    `look at the file: ${note.path}`,
  );
}
