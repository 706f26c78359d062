import { ContinuoError } from "../../../base/errors.ts";
import { nearest } from "../../../base/text.ts";
import { stampAt } from "../../../sources/memory/note-project.ts";
import { noteFailure } from "../../../sources/memory/notes/failures.ts";
import { LINK_TIP } from "../../../sources/memory/notes/wikilinks.ts";
import type { Written } from "../../../sources/memory/notes/write-note.ts";
import { findHome } from "../../../store/home.ts";
import type { Command } from "../../command.ts";
import {
  exactly,
  listOption,
  subject,
  textOption,
  tooManyArguments,
  wholeOption,
} from "../../terminal/options.ts";
import { contentOf, editOf, OPERATIONS } from "./content.ts";
import { withMemory } from "./with-memory.ts";

const WRITE_USAGE = "write [TEXT] --title TITLE";

export const writeCommand: Command = {
  name: "write",
  summary: "write a new note; never replaces an existing one",
  usage: WRITE_USAGE,
  group: "notes",
  options: {
    title: { type: "string", value: "TITLE", help: "title (default: the heading that the text begins with)" },
    folder: { type: "string", value: "FOLDER", help: "folder within the memory folder; created if needed" },
    tag: { type: "string", multiple: true, value: "TAG", help: "add a tag; may be repeated" },
    project: {
      type: "string",
      value: "NAME",
      help: "its project (default: the current one); none: no project",
    },
    file: { type: "string", value: "FILE", help: "read the text from this file; - for standard input" },
  },
  run(input) {
    if (input.positionals.length > 1) throw tooManyArguments(WRITE_USAGE);
    const content = contentOf(input, input.positionals[0]);
    const title = textOption(input, "title") ?? /^\s*# +(\S.*)/.exec(content)?.[1]?.trim();
    if (title === undefined)
      throw new ContinuoError("usage", "the note has no title", {
        hint: 'pass --title "A few words", or begin the text with a heading: # A few words',
      });
    const folder = textOption(input, "folder");
    return withMemory(input, async (memory) => {
      const note = {
        title,
        content,
        tags: listOption(input, "tag"),
        ...stampAt({ ...input, home: findHome(input.env) }, textOption(input, "project")),
        ...(folder === undefined ? {} : { folder }),
      };
      const written = await memory.write(note);
      return { data: written, text: writtenText(written) };
    });
  },
};

export function writtenText({ uri, path, isLinked }: Written): string {
  return [`Written: ${uri}`, `  ${path}`, ...(isLinked ? [] : [`  ${LINK_TIP}`])].join("\n");
}

const EDIT_USAGE = `edit NOTE ${OPERATIONS.join("|")} [TEXT]`;

export const editCommand: Command = {
  name: "edit",
  summary: "edit a note in place; the rest of it stays unchanged",
  usage: EDIT_USAGE,
  group: "notes",
  words: OPERATIONS,
  options: {
    find: { type: "string", value: "TEXT", help: "find_replace: the text to replace" },
    expected: { type: "string", value: "N", help: "find_replace: how often the text must occur" },
    section: { type: "string", value: "HEADING", help: "replace_section, append: the heading" },
    checksum: { type: "string", value: "SUM", help: "edit only if the note still has this checksum" },
    file: { type: "string", value: "FILE", help: "read the text from this file; - for standard input" },
  },
  run(input) {
    const [identifier, word, given, ...rest] = input.positionals;
    if (rest.length > 0) throw tooManyArguments(EDIT_USAGE);
    if (identifier === undefined || word === undefined)
      throw new ContinuoError("usage", "an argument is missing", { hint: `usage: continuo ${EDIT_USAGE}` });
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
  throw new ContinuoError("usage", `unknown edit operation "${word}"`, {
    hint: near === undefined ? `use one of ${OPERATIONS.join(", ")}` : `did you mean ${near}?`,
  });
}

const MOVE_USAGE = "move NOTE DESTINATION";

export const moveCommand: Command = {
  name: "move",
  summary: "rename a note or move it to another folder (FOLDER/ keeps its name)",
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
  summary: "delete a note permanently",
  usage: DELETE_USAGE,
  group: "notes",
  options: { yes: { type: "boolean", help: "required: delete permanently" } },
  run(input) {
    const identifier = subject(input, "NOTE", DELETE_USAGE);
    return withMemory(input, async (memory) => {
      if (input.values["yes"] !== true) {
        const { uri, path } = memory.locate(identifier);
        throw noteFailure(
          "note-unconfirmed",
          `${uri} (${path}) was not deleted`,
          "pass --yes to delete permanently",
        );
      }
      const { uri } = await memory.delete(identifier, true);
      return { data: { uri, deleted: true }, text: `Deleted: ${uri}` };
    });
  },
};
