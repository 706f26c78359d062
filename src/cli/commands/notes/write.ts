import { ContinuoError } from "../../../base/errors.ts";
import type { Command } from "../../command.ts";
import { contentOf } from "./content.ts";
import { withMemory } from "./with-memory.ts";
import { textOf, textsOf } from "./words.ts";

const USAGE = "write [TEXT] --title TITLE";

export const writeCommand: Command = {
  name: "write",
  summary: "make a note; one that is there already is never replaced",
  usage: USAGE,
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
    const title = textOf(input, "title") ?? /^\s*# +(\S.*)/.exec(content)?.[1]?.trim();
    if (title === undefined)
      throw new ContinuoError("usage", "the note has no title", {
        hint: 'give --title "A few words", or begin the text with a heading: # A few words',
      });
    const folder = textOf(input, "folder");
    return withMemory(input, async (memory) => {
      const note = {
        title,
        content,
        tags: textsOf(input, "tag"),
        ...(folder === undefined ? {} : { folder }),
      };
      const written = await memory.write(note);
      return { data: written, text: `Written: ${written.uri}\n  ${written.path}` };
    });
  },
};
