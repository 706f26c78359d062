import { ContinuoError } from "../../../base/errors.ts";
import { nearest } from "../../../base/settings.ts";
import type { Command } from "../../command.ts";
import { contentOf } from "./content.ts";
import { editOf, OPERATIONS } from "./edit-of.ts";
import { withMemory } from "./with-memory.ts";
import { textOf, wholeOf } from "./words.ts";

const USAGE = `edit NOTE ${OPERATIONS.join("|")} [TEXT]`;

export const editCommand: Command = {
  name: "edit",
  summary: "change a note in place; all that the edit does not concern stays",
  usage: USAGE,
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
          hint: `usage: continuo ${USAGE}; put quotes around what has spaces`,
        },
      );
    const operation = operationOf(word);
    const findText = textOf(input, "find");
    const expectedCount = wholeOf(input, "expected", 0, 1_000_000);
    const sectionName = textOf(input, "section");
    const checksum = textOf(input, "checksum");
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
