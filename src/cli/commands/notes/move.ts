import type { Command } from "../../command.ts";
import { withMemory } from "./with-memory.ts";
import { exactly } from "./words.ts";

const USAGE = "move NOTE DESTINATION";

export const moveCommand: Command = {
  name: "move",
  summary: "give a note another name or folder; FOLDER/ with a slash keeps its name",
  usage: USAGE,
  group: "notes",
  options: {},
  run(input) {
    const [identifier = "", destination = ""] = exactly(input, 2, USAGE);
    return withMemory(input, async (memory) => {
      const moved = await memory.move(identifier, destination);
      return { data: moved, text: `Moved: ${moved.from}\n  to   ${moved.uri}\n  ${moved.path}` };
    });
  },
};
