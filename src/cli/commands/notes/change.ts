import { ContinuoError } from "../../../base/errors.ts";
import { nearest } from "../../../base/settings.ts";
import { noteFailure } from "../../../sources/memory/notes/failures.ts";
import { identify } from "../../../sources/memory/notes/identify.ts";
import type { Command } from "../../command.ts";
import { exactly, listOption, subject, textOption, wholeOption } from "../../terminal/options.ts";
import { contentOf, editOf, OPERATIONS } from "./content.ts";
import { withMemory } from "./with-memory.ts";

const WRITE_USAGE = "write [TEXT] --title TITLE";

export const writeCommand: Command = {
  name: "write",
  summary: "make a note; one that is there already is never replaced",
  usage: WRITE_USAGE,
  group: "notes",
  options: {
    title: { type: "string", value: "TITLE", help: "without it, the heading that the text begins with" },
    folder: { type: "string", value: "FOLDER", help: "below the memory folder; it is made if needed" },
    tag: { type: "string", multiple: true, value: "TAG", help: "may be repeated" },
    file: { type: "string", value: "FILE", help: "the text is in this file; - is standard input" },
  },
  run(input) {
    if (input.positionals.length > 1)
      throw new ContinuoError("usage", "there are too many words", { hint: "put quotes around the text" });
    const content = contentOf(input, input.positionals[0]);
    const title = textOption(input, "title") ?? /^\s*# +(\S.*)/.exec(content)?.[1]?.trim();
    if (title === undefined)
      throw new ContinuoError("usage", "the note has no title", {
        hint: 'give --title "A few words", or begin the text with a heading: # A few words',
      });
    const folder = textOption(input, "folder");
    return withMemory(input, async (memory) => {
      const note = {
        title,
        content,
        tags: listOption(input, "tag"),
        ...(folder === undefined ? {} : { folder }),
      };
      const written = await memory.write(note);
      return { data: written, text: `Written: ${written.uri}\n  ${written.path}` };
    });
  },
};

const EDIT_USAGE = `edit NOTE ${OPERATIONS.join("|")} [TEXT]`;

export const editCommand: Command = {
  name: "edit",
  summary: "change a note in place; all that the edit does not concern stays",
  usage: EDIT_USAGE,
  group: "notes",
  words: OPERATIONS,
  options: {
    find: { type: "string", value: "TEXT", help: "find_replace: what to replace" },
    expected: { type: "string", value: "N", help: "find_replace: how often it must be there" },
    section: { type: "string", value: "HEADING", help: "replace_section: which one" },
    checksum: { type: "string", value: "SUM", help: "of the note as it was read: any other is left alone" },
    file: { type: "string", value: "FILE", help: "the text is in this file; - is standard input" },
  },
  run(input) {
    const [identifier, word, given, ...rest] = input.positionals;
    if (identifier === undefined || word === undefined || rest.length > 0)
      throw new ContinuoError(
        "usage",
        rest.length > 0 ? "there are too many words" : "which note, and how?",
        {
          hint: `usage: continuo ${EDIT_USAGE}; put quotes around what has spaces`,
        },
      );
    const operation = operationOf(word);
    const findText = textOption(input, "find");
    const expectedCount = wholeOption(input, "expected", 0, 1_000_000);
    const sectionName = textOption(input, "section");
    const checksum = textOption(input, "checksum");
    const edit = editOf({
      operation,
      content: contentOf(input, given),
      ...(findText === undefined ? {} : { findText }),
      ...(expectedCount === undefined ? {} : { expectedCount }),
      ...(sectionName === undefined ? {} : { sectionName }),
    });
    return withMemory(input, async (memory) => {
      const edited = await memory.edit(identifier, edit, checksum === undefined ? {} : { checksum });
      return { data: edited, text: `Edited: ${edited.uri}\n  ${edited.path}` };
    });
  },
};

function operationOf(word: string): (typeof OPERATIONS)[number] {
  const found = OPERATIONS.find((one) => one === word.toLowerCase().replaceAll("-", "_"));
  if (found !== undefined) return found;
  const near = nearest(word, OPERATIONS);
  throw new ContinuoError("usage", `there is no edit "${word}"`, {
    hint: near === undefined ? `one of ${OPERATIONS.join(", ")}` : `did you mean ${near}?`,
  });
}

const MOVE_USAGE = "move NOTE DESTINATION";

export const moveCommand: Command = {
  name: "move",
  summary: "give a note another name or folder; FOLDER/ with a slash keeps its name",
  usage: MOVE_USAGE,
  group: "notes",
  options: {},
  run(input) {
    const [identifier = "", destination = ""] = exactly(input, 2, MOVE_USAGE);
    return withMemory(input, async (memory) => {
      const moved = await memory.move(identifier, destination);
      return { data: moved, text: `Moved: ${moved.from}\n  to   ${moved.uri}\n  ${moved.path}` };
    });
  },
};

const DELETE_USAGE = "delete NOTE --yes";

export const deleteCommand: Command = {
  name: "delete",
  summary: "delete a note for good",
  usage: DELETE_USAGE,
  group: "notes",
  options: { yes: { type: "boolean", help: "without it nothing is deleted" } },
  run(input) {
    const identifier = subject(input, "note", DELETE_USAGE);
    return withMemory(input, async (memory) => {
      if (input.values["yes"] !== true) {
        const { uri, path } = identify(identifier, memory.roots);
        throw noteFailure(
          "note-unconfirmed",
          `${uri} (${path}) was not deleted`,
          "add --yes; nothing brings it back",
        );
      }
      const { uri } = await memory.delete(identifier, true);
      return { data: { uri, deleted: true }, text: `Deleted: ${uri}` };
    });
  },
};
