import { ContinuoError, describeError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { shellWord } from "../../../base/text.ts";
import type { Memory } from "../../../sources/memory/memory.ts";
import { stampAt } from "../../../sources/memory/note-project.ts";
import { titleFromText } from "../../../sources/memory/notes/title-from-text.ts";
import type { NewNote, Written } from "../../../sources/memory/notes/write-note.ts";
import { NO_PROJECT } from "../../../sources/memory/search/project-notes.ts";
import { findHome } from "../../../store/home.ts";
import type { Command } from "../../command.ts";
import { listOption, textOption } from "../../terminal/options.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { wrapOn } from "../../terminal/wrap.ts";
import { contentOf } from "./content.ts";
import { NEW_NOTE_OPTIONS } from "./new-note-options.ts";
import { undoLine } from "./undo-line.ts";
import { withMemory } from "./with-memory.ts";
import { writtenLines } from "./written-lines.ts";

const EXAMPLE = 'continuo note "Staging has no cron jobs."';

export const noteCommand: Command = {
  name: "note",
  summary: "write a note for this project",
  usage: "note [TEXT]",
  section: "notes",
  guide:
    "The first sentence becomes its title. Later sessions in this project begin with its newest notes, and agents find it by words and meaning.",
  options: NEW_NOTE_OPTIONS,
  arguments: { TEXT: { help: "the note, in Markdown; without it, the text is read from standard input" } },
  examples: [
    [EXAMPLE, "save a fact about this project"],
    ['continuo note "We chose [[SQLite]] for search." --tag decision', "link a concept, add a tag"],
    ["git log -5 --oneline | continuo note --file -", "save the output of a program"],
  ],
  run(input) {
    const given = input.positionals.length === 0 ? undefined : input.positionals.join(" ");
    const content = contentOf(input, given, EXAMPLE);
    if (content.trim() === "")
      throw new ContinuoError("usage", "the text is empty", {
        hint: `for example: ${EXAMPLE}`,
      });
    const folder = textOption(input, "folder");
    return withMemory(input, async (memory) => {
      const stamp = stampAt({ ...input, home: findHome(input.env) }, textOption(input, "project"));
      const written = await writeNew(memory, {
        title: titleFromText(content),
        content,
        hasHeading: false,
        tags: listOption(input, "tag"),
        ...stamp,
        ...(folder === undefined ? {} : { folder }),
      });
      return {
        data: written,
        text: [
          ...writtenLines(input, written),
          ...laterLines(stamp.project).map((line) => wrapOn(line, input.screen ?? PLAIN)),
          undoLine(input, `continuo delete ${shellWord(written.uri)}`),
        ].join("\n"),
      };
    });
  },
};

/** What later sessions get of a new note. */
function laterLines(project: string | undefined): string[] {
  const whenAsked = "A prompt about the same thing brings it in";
  if (project === undefined || project === NO_PROJECT) return [`  ${whenAsked}, in every project.`];
  return [`  New sessions in ${oneLine(project)} begin with a list of its latest notes. ${whenAsked}.`];
}

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
