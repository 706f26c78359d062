import { fstatSync } from "node:fs";
import { resolve } from "node:path";
import { ContinuoError, systemCode } from "../../../base/errors.ts";
import type { Edit } from "../../../sources/memory/notes/edit-note.ts";
import { noteFailure } from "../../../sources/memory/notes/failures.ts";
import { MAX_NOTE_BYTES, type Note } from "../../../sources/memory/notes/note.ts";
import { withFile } from "../../../store/read-file.ts";
import type { Input } from "../../command.ts";
import { readInput } from "../../terminal/input.ts";
import { textOption } from "../../terminal/options.ts";

/** The text to write: from an argument, `--file` or standard input. `example`: a command that has one. */
export function contentOf(input: Input, given: string | undefined, example: string): string {
  const file = textOption(input, "file");
  if (file !== undefined && given !== undefined)
    throw new ContinuoError("usage", "both a text and --file were given", { hint: "pass one of them" });
  if (file !== undefined && file !== "-") return fromFile(resolve(input.cwd, file));
  if (given !== undefined && given !== "-") return bounded(given);
  // At a terminal, waiting for input would look like a hang.
  if (given === undefined && file === undefined && fstatSync(input.stdin).isCharacterDevice()) {
    throw new ContinuoError("usage", "there is no text to write", {
      hint: [`for example: ${example}`, "also possible: --file FILE, or a text on standard input"],
    });
  }
  return readInput(input.stdin, MAX_NOTE_BYTES);
}

function fromFile(path: string): string {
  try {
    return withFile(path, ({ descriptor }) => readInput(descriptor, MAX_NOTE_BYTES, path));
  } catch (error) {
    if (error instanceof ContinuoError) throw error;
    const why =
      systemCode(error) === "not-a-file" ? "is not a file" : `cannot be read (${systemCode(error)})`;
    throw new ContinuoError("no-such-file", `${path} ${why}`, {
      hint: "--file needs a text file that exists",
    });
  }
}

/** A note that is too large to be read must not be written. */
export function bounded(text: string): string {
  if (Buffer.byteLength(text) <= MAX_NOTE_BYTES) return text;
  throw new ContinuoError("input-too-large", `the text has more than ${MAX_NOTE_BYTES / 2 ** 20} MB`, {
    hint: "keep large texts as separate files and write a note about them",
  });
}

export const OPERATIONS = ["append", "prepend", "find_replace", "replace_section"] as const;

export interface EditRequest {
  readonly operation: (typeof OPERATIONS)[number];
  readonly content: string;
  readonly findText?: string;
  readonly expectedCount?: number;
  readonly sectionName?: string;
}

/** Checks that an edit has everything its operation needs. */
export function editOf({ operation, content, findText, expectedCount, sectionName }: EditRequest): Edit {
  switch (operation) {
    case "find_replace":
      if (findText === undefined)
        throw noteFailure(
          "note-invalid",
          "find_replace needs the text to find",
          ({ find }) => `pass it with ${find}`,
        );
      return { operation, content, findText, ...(expectedCount === undefined ? {} : { expectedCount }) };
    case "replace_section":
      if (sectionName === undefined)
        throw noteFailure(
          "note-invalid",
          "replace_section needs a heading",
          ({ section }) => `pass it with ${section}`,
        );
      return { operation, content, sectionName };
    case "append":
      return { operation, content, ...(sectionName === undefined ? {} : { sectionName }) };
    default:
      return { operation, content };
  }
}

/** A note that cannot be shown is an error, not an empty text. */
export function assertReadable(note: Note): Note {
  const [problem] = note.problems;
  if (note.body !== "" || note.size === 0 || problem === undefined) return note;
  throw noteFailure(
    "note-unreadable",
    `${note.uri} cannot be shown: ${problem}`,
    `check the file: ${note.path}`,
  );
}
