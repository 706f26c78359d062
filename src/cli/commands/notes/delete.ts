import { noteFailure } from "../../../sources/memory/notes/failures.ts";
import { identify } from "../../../sources/memory/notes/identify.ts";
import type { Command } from "../../command.ts";
import { withMemory } from "./with-memory.ts";
import { subject } from "./words.ts";

const USAGE = "delete NOTE --yes";

export const deleteCommand: Command = {
  name: "delete",
  summary: "delete a note for good",
  usage: USAGE,
  group: "notes",
  options: { yes: { type: "boolean", help: "without it nothing is deleted" } },
  run(input) {
    const identifier = subject(input, "note", USAGE);
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
