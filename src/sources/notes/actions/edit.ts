import { ContinuoError, isSystemError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { shellWord } from "../../../base/text.ts";
import { fields, oneOf, text } from "../../../moments/actions/fields.ts";
import { action, type Place } from "../../../moments/ports/action.ts";
import { exact } from "../../../moments/ports/view.ts";
import { shortPath } from "../../../moments/project/known-project.ts";
import { readBytes } from "../../../store/read-file.ts";
import { keepBeforeEdit } from "../../../store/trash.ts";
import type { Edit } from "../files/edit-note.ts";
import { noteFailure } from "../files/failures.ts";
import { MAX_NOTE_BYTES } from "../files/note.ts";
import type { Memory } from "../memory.ts";
import { content, EDIT, NOTE_WORD, writtenLines } from "./fields.ts";
import { withNotes } from "./fresh.ts";

export const OPERATIONS = ["append", "prepend", "find_replace", "replace_section"] as const;

const INPUT = fields({
  note: NOTE_WORD,
  operation: oneOf("what to do with the text", OPERATIONS, { typed: "word" }),
  text: content("the new text; without it, the text is read from standard input", "word"),
  ...EDIT,
});

export const edit = action({
  name: "edit",
  about: "edit a note in place; the rest of it stays unchanged",
  examples: [
    ['continuo edit "Prices" append "VAT is included."', "add a line at the end"],
    ['continuo edit "Prices" find_replace "net" --find "gross"', "replace a word"],
    ['continuo edit "Prices" replace_section "None." --section "Open questions"', "replace a section"],
  ],
  effect: "writes",
  changes: "notes",
  input: INPUT,
  run({ note, operation, text: said, find, expected, section, checksum }, place) {
    const change = editOf({
      operation,
      content: bounded(said),
      findText: find,
      expectedCount: expected,
      sectionName: section,
    });
    return withNotes(place, (memory) => undoableEdit(place, memory, note, change, checksum));
  },
  json: ({ edited }) => edited,
  view: ({ edited, id }, shown) => [
    ...writtenLines(edited, shown, "Edited"),
    ...(id === undefined ? [] : [{ undo: `continuo restore ${id}` }]),
  ],
});

export interface EditRequest {
  readonly operation: (typeof OPERATIONS)[number];
  readonly content: string;
  readonly findText?: string | undefined;
  readonly expectedCount?: number | undefined;
  readonly sectionName?: string | undefined;
}

/** Checks that an edit has everything its operation needs. */
export function editOf({
  operation,
  content: given,
  findText,
  expectedCount,
  sectionName,
}: EditRequest): Edit {
  const missing = (what: string, option: "find" | "section") =>
    noteFailure("note-invalid", `${operation} needs ${what}`, (reader) => `pass it with ${reader[option]}`);
  switch (operation) {
    case "find_replace":
      if (findText === undefined) throw missing("the text to find", "find");
      return { operation, content: given, findText, expectedCount };
    case "replace_section":
      if (sectionName === undefined) throw missing("a heading", "section");
      return { operation, content: given, sectionName };
    case "append":
      return { operation, content: given, sectionName };
    default:
      return { operation, content: given };
  }
}

/** A note that would be too large to be read must not be written. */
export function bounded(given: string): string {
  if (Buffer.byteLength(given) <= MAX_NOTE_BYTES) return given;
  throw new ContinuoError("input-too-large", `the text has more than ${MAX_NOTE_BYTES / 2 ** 20} MB`, {
    hint: "keep large texts as separate files and write a note about them",
  });
}

/** Edits a note and stores its previous text; `id` is undefined if that could not be stored. */
async function undoableEdit(
  { home, now }: Place,
  memory: Memory,
  identifier: string,
  change: Edit,
  checksum: string | undefined,
) {
  const { uri, title, path, problems, ...note } = await memory.peek(identifier);
  const bytes =
    problems.length > 0 ? undefined : orNothing(() => readBytes(path, { maxBytes: MAX_NOTE_BYTES }));
  // The stored text must be the one that is edited.
  const known = checksum ?? (bytes === undefined ? undefined : note.checksum);
  const edited = await memory.edit(uri, change, { checksum: known });
  if (bytes === undefined) return { edited, id: undefined };
  const within = memory.locate(uri).root.path;
  const about = { kind: "edit", name: title, path, within, at: now(), after: edited.checksum } as const;
  const kept = orNothing(() => keepBeforeEdit(home, about, bytes));
  return { edited, id: kept?.id };
}

/** The edit must succeed even if it cannot be undone later. */
function orNothing<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

export const move = action({
  name: "move",
  about: "rename a note or move it to another folder",
  examples: [
    ['continuo move "Prices" pricing/rules', "rename it and move it to a folder"],
    ['continuo move "Prices" pricing/', "only move it"],
  ],
  effect: "writes",
  changes: "notes",
  input: fields({
    note: NOTE_WORD,
    to: text("its new path within the notes folder; FOLDER/ keeps the name", {
      typed: "word",
      value: "DESTINATION",
    }),
  }),
  run: ({ note, to }, place) => withNotes(place, (memory) => memory.move(note, to)),
  view: ({ from, uri, path }, { paint, env }) => [
    exact(`Moved: ${oneLine(from)}`),
    exact(`  to   ${paint("bold", oneLine(uri))}`),
    exact(`  ${oneLine(shortPath(path, env))}`),
    { undo: `continuo move ${shellWord(uri)} ${shellWord(from)}` },
  ],
});
