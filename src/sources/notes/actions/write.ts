import { ContinuoError, describeError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { shellWord } from "../../../base/text.ts";
import { titleFromText } from "../../../markdown/title-from-text.ts";
import { fields, optional, text } from "../../../moments/actions/fields.ts";
import { action } from "../../../moments/ports/action.ts";
import { exact } from "../../../moments/ports/view.ts";
import { LINK_TIP } from "../files/wikilinks.ts";
import type { NewNote, Written } from "../files/write-note.ts";
import type { Memory } from "../memory.ts";
import { stampAt } from "../note-project.ts";
import { NO_PROJECT } from "../search/project-notes.ts";
import { bounded } from "./edit.ts";
import { content, NEW_NOTE, writtenLines } from "./fields.ts";
import { withNotes } from "./fresh.ts";

const IN_MARKDOWN = "the note, in Markdown; without it, the text is read from standard input";
const EXAMPLE = 'continuo note "Staging has no cron jobs."';

export const note = action({
  name: "note",
  about: "write a note for this project",
  guide:
    "The first sentence becomes its title. Later sessions in this project begin with its newest notes, and agents find it by words and meaning.",
  examples: [
    [EXAMPLE, "save a fact about this project"],
    ['continuo note "We chose [[SQLite]] for search." --tag decision', "link a concept, add a tag"],
    ["git log -5 --oneline | continuo note --file -", "save the output of a program"],
  ],
  effect: "writes",
  changes: "notes",
  input: fields({ text: optional(content(IN_MARKDOWN, "rest")), ...NEW_NOTE }),
  run({ text: said = "", folder, tag = [], project }, place) {
    if (said.trim() === "")
      throw new ContinuoError("usage", "the text is empty", { hint: `for example: ${EXAMPLE}` });
    const stamp = stampAt(place, project);
    return withNotes(place, async (memory) => {
      const title = titleFromText(said);
      const made = { title, content: bounded(said), hasHeading: false, tags: tag, ...stamp, folder };
      return { written: await writeNew(memory, made), of: stamp.project };
    });
  },
  json: ({ written }) => written,
  view: ({ written, of }, shown) => [
    ...writtenLines(written, shown),
    `  ${laterText(of)}`,
    { undo: `continuo delete ${shellWord(written.uri)}` },
  ],
});

/** What later sessions get from a new note. */
function laterText(project: string | undefined): string {
  const whenAsked = "A prompt about the same thing brings it in";
  if (project === undefined || project === NO_PROJECT) return `${whenAsked}, in every project.`;
  return `New sessions in ${oneLine(project)} begin with a list of its latest notes. ${whenAsked}.`;
}

/** The most notes that may begin with the same sentence. */
const MOST_ALIKE = 1000;

/** Another note may begin with the same sentence: then a number is added to the title. */
async function writeNew(memory: Memory, made: NewNote): Promise<Written> {
  for (let number = 1; ; number++) {
    try {
      return await memory.write(number === 1 ? made : { ...made, title: `${made.title} (${number})` });
    } catch (error) {
      if (describeError(error).code !== "note-exists" || number === MOST_ALIKE) throw error;
    }
  }
}

export const write = action({
  name: "write",
  about: "write a new note; never replaces an existing one",
  examples: [
    ['continuo write "Keep prices in cents." --title "Prices"', "write a note with a title"],
    ["continuo write --file draft.md --folder decisions", "keep a file as a note"],
  ],
  effect: "writes",
  changes: "notes",
  input: fields({
    content: content(IN_MARKDOWN, "word"),
    title: optional(text("title of the note", { fallback: "the heading that the text begins with" })),
    ...NEW_NOTE,
  }),
  run({ content: said, title, folder, tag = [], project }, place) {
    const named = title?.trim() || /^\s*# +(\S.*)/.exec(said)?.[1]?.trim();
    if (named === undefined)
      throw new ContinuoError("usage", "the note has no title", {
        hint: 'pass --title "A few words", or begin the text with a heading: # A few words',
      });
    return withNotes(place, (memory) =>
      memory.write({ title: named, content: bounded(said), tags: tag, ...stampAt(place, project), folder }),
    );
  },
  view: (written, shown) => [
    ...writtenLines(written, shown),
    ...(written.isLinked ? [] : [exact(`  ${LINK_TIP}`)]),
    { undo: `continuo delete ${shellWord(written.uri)}` },
  ],
});
