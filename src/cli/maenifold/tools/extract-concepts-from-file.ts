import { noteFailure } from "../../../sources/memory/notes/failures.ts";
import { identify } from "../../../sources/memory/notes/identify.ts";
import { readNote } from "../../../sources/memory/notes/read-note.ts";
import { defineTool } from "../tool.ts";

export const extractConceptsFromFile = defineTool({
  name: "ExtractConceptsFromFile",
  summary: "the concepts that a note's links name",
  params: { identifier: { kind: "text", required: true, help: "memory://folder/name, or a title" } },
  async run({ identifier }, { memory }) {
    // Not `memory.read`: to look at its links is not to use it.
    const { root, path } = identify(identifier, memory.roots);
    const note = await readNote(root, path);
    if (note === undefined)
      throw noteFailure("note-not-found", `${identifier} is gone`, "search for it again");
    const { uri, title, concepts } = note;
    return {
      plain: { uri, title, concepts },
      text: [`Found ${concepts.length} CONCEPTS in ${uri}:`, ...concepts.map((name) => `  • ${name}`)].join(
        "\n",
      ),
    };
  },
});
