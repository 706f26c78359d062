import type { Command } from "../../command.ts";

/** What `note` and `write` both take. */
export const NEW_NOTE_OPTIONS = {
  folder: {
    type: "string",
    value: "FOLDER",
    help: "folder within the notes folder; created if needed",
    fallback: "the notes folder itself",
  },
  tag: { type: "string", multiple: true, value: "TAG", help: "add a tag", fallback: "no tags" },
  project: {
    type: "string",
    value: "NAME",
    help: "project that the note belongs to; none: no project",
    fallback: "the current one",
  },
  file: {
    type: "string",
    value: "FILE",
    help: "read the text from this file; - is the standard input",
    fallback: "the text that is given",
  },
} as const satisfies Command["options"];
