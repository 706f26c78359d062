import { ContinuoError, describeError } from "../../../base/errors.ts";
import type { Memory } from "../../../sources/memory/memory.ts";
import { stampAt } from "../../../sources/memory/note-project.ts";
import { titleFromText } from "../../../sources/memory/notes/title-from-text.ts";
import type { NewNote, Written } from "../../../sources/memory/notes/write-note.ts";
import { findHome } from "../../../store/home.ts";
import type { Command } from "../../command.ts";
import { listOption, textOption } from "../../terminal/options.ts";
import { contentOf } from "./content.ts";
import { withMemory } from "./with-memory.ts";

export const noteCommand: Command = {
  name: "note",
  summary: "keep a text as a new note, titled by its first sentence",
  usage: "note [TEXT]",
  group: "notes",
  options: {
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
    const given = input.positionals.length === 0 ? undefined : input.positionals.join(" ");
    const content = contentOf(input, given);
    if (content.trim() === "")
      throw new ContinuoError("usage", "the text is empty", {
        hint: 'for example: continuo note "The staging database is reset every night."',
      });
    const folder = textOption(input, "folder");
    return withMemory(input, async (memory) => {
      const written = await writeNew(memory, {
        title: titleFromText(content),
        content,
        hasHeading: false,
        tags: listOption(input, "tag"),
        ...stampAt({ ...input, home: findHome(input.env) }, textOption(input, "project")),
        ...(folder === undefined ? {} : { folder }),
      });
      return { data: written, text: `Written: ${written.uri}\n  ${written.path}` };
    });
  },
};

/** Nobody keeps more notes that begin with the same sentence. */
const MOST_ALIKE = 1000;

/** The first sentence may be that of another note: then a number is added to the title. */
async function writeNew(memory: Memory, note: NewNote): Promise<Written> {
  for (let number = 1; ; number++) {
    try {
      return await memory.write(number === 1 ? note : { ...note, title: `${note.title} (${number})` });
    } catch (error) {
      if (describeError(error).code !== "note-exists" || number === MOST_ALIKE) throw error;
    }
  }
}
