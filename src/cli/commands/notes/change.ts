import { ContinuoError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { nearest, shellWord } from "../../../base/text.ts";
import { shortPath } from "../../../moments/project/known-project.ts";
import { stampAt } from "../../../sources/memory/note-project.ts";
import { LINK_TIP } from "../../../sources/memory/notes/wikilinks.ts";
import { findHome } from "../../../store/home.ts";
import type { Command } from "../../command.ts";
import { exactly, listOption, textOption, tooManyArguments, wholeOption } from "../../terminal/options.ts";
import { paintFor } from "../../terminal/paint.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { contentOf, editOf, OPERATIONS } from "./content.ts";
import { NEW_NOTE_OPTIONS } from "./new-note-options.ts";
import { undoLine } from "./undo-line.ts";
import { undoableEdit } from "./undoable-edit.ts";
import { withMemory } from "./with-memory.ts";
import { writtenLines } from "./written-lines.ts";

const WRITE_USAGE = "write [TEXT] --title TITLE";
const WRITE_EXAMPLE = 'continuo write "Keep prices in cents." --title "Prices"';

export const writeCommand: Command = {
  name: "write",
  summary: "write a new note; never replaces an existing one",
  usage: WRITE_USAGE,
  section: "notes",
  isMinor: true,
  options: {
    title: {
      type: "string",
      value: "TITLE",
      help: "title of the note",
      fallback: "the heading that the text begins with",
    },
    ...NEW_NOTE_OPTIONS,
  },
  arguments: { TEXT: { help: "the note, in Markdown; without it, the text is read from standard input" } },
  examples: [
    [WRITE_EXAMPLE, "write a note with a title"],
    ["continuo write --file draft.md --folder decisions", "keep a file as a note"],
  ],
  run(input) {
    if (input.positionals.length > 1) throw tooManyArguments(WRITE_USAGE);
    const content = contentOf(input, input.positionals[0], WRITE_EXAMPLE);
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
      return {
        data: written,
        text: [
          ...writtenLines(input, written),
          ...(written.isLinked ? [] : [`  ${LINK_TIP}`]),
          undoLine(input, `continuo delete ${shellWord(written.uri)}`),
        ].join("\n"),
      };
    });
  },
};

const EDIT_USAGE = "edit NOTE OPERATION [TEXT]";
const EDIT_EXAMPLE = 'continuo edit "Prices" append "VAT is included."';

export const editCommand: Command = {
  name: "edit",
  summary: "edit a note in place; the rest of it stays unchanged",
  usage: EDIT_USAGE,
  section: "notes",
  isMinor: true,
  options: {
    find: { type: "string", value: "TEXT", help: "with find_replace: the text to replace", fallback: "none" },
    expected: {
      type: "string",
      value: "N",
      help: "with find_replace: how often the text must occur",
      fallback: "any number",
    },
    section: {
      type: "string",
      value: "HEADING",
      help: "with replace_section and append: the heading of the section",
      fallback: "the whole note",
    },
    checksum: {
      type: "string",
      value: "SUM",
      help: "edit only if the note still has this checksum",
      fallback: "not checked",
    },
    file: {
      type: "string",
      value: "FILE",
      help: "read the text from this file; - is the standard input",
      fallback: "the text that is given",
    },
  },
  arguments: {
    NOTE: { help: "a note by its address, path or title" },
    OPERATION: { help: "what to do with the text", choices: OPERATIONS },
    TEXT: { help: "the new text; without it, the text is read from standard input" },
  },
  examples: [
    [EDIT_EXAMPLE, "add a line at the end"],
    ['continuo edit "Prices" find_replace "net" --find "gross"', "replace a word"],
    ['continuo edit "Prices" replace_section "None." --section "Open questions"', "replace a section"],
  ],
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
      content: contentOf(input, given, EDIT_EXAMPLE),
      ...(findText === undefined ? {} : { findText }),
      ...(expectedCount === undefined ? {} : { expectedCount }),
      ...(sectionName === undefined ? {} : { sectionName }),
    });
    return withMemory(input, async (memory) => {
      const { edited, id } = await undoableEdit(input, memory, identifier, edit, checksum);
      const undo = id === undefined ? [] : [undoLine(input, `continuo restore ${id}`)];
      return { data: edited, text: [...writtenLines(input, edited, "Edited"), ...undo].join("\n") };
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
  summary: "rename a note or move it to another folder",
  usage: MOVE_USAGE,
  section: "notes",
  isMinor: true,
  options: {},
  arguments: {
    NOTE: { help: "a note by its address, path or title" },
    DESTINATION: { help: "its new path within the notes folder; FOLDER/ keeps the name" },
  },
  examples: [
    ['continuo move "Prices" pricing/rules', "rename it and move it to a folder"],
    ['continuo move "Prices" pricing/', "only move it"],
  ],
  run(input) {
    const [identifier = "", destination = ""] = exactly(input, 2, MOVE_USAGE);
    return withMemory(input, async (memory) => {
      const moved = await memory.move(identifier, destination);
      const paint = paintFor(input.screen ?? PLAIN);
      return {
        data: moved,
        text: [
          `Moved: ${oneLine(moved.from)}`,
          `  to   ${paint("bold", oneLine(moved.uri))}`,
          `  ${oneLine(shortPath(moved.path, input.env))}`,
          undoLine(input, `continuo move ${shellWord(moved.uri)} ${shellWord(moved.from)}`),
        ].join("\n"),
      };
    });
  },
};
