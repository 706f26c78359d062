import { oneLine } from "../../../base/for-terminal.ts";
import type { Command } from "../../command.ts";
import { table } from "../../terminal/table.ts";
import { NO_NOTES } from "./no-notes.ts";
import { withMemory } from "./with-memory.ts";

export const listCommand: Command = {
  name: "list",
  summary: "the folders and notes of a folder",
  usage: "list [FOLDER]",
  group: "notes",
  options: {},
  run(input) {
    const folder = input.positionals.join(" ");
    return withMemory(input, (memory) => {
      const { folders, notes } = memory.list(folder);
      const also =
        folder === "" ? memory.roots.flatMap(({ name }) => (name === undefined ? [] : [`@${name}`])) : [];
      const data = {
        folder,
        folders,
        also,
        notes: notes.map(({ modified, ...note }) => ({
          ...note,
          modified: new Date(modified).toISOString(),
        })),
      };
      const rows = [
        ...also.map((name) => [`${name}/`, "another memory folder"]),
        ...folders.map(({ name, notes }) => [
          `${oneLine(name)}/`,
          `${notes} ${notes === 1 ? "note" : "notes"}`,
        ]),
        ...data.notes.map(({ uri, modified }) => [oneLine(uri), modified.slice(0, 16).replace("T", " ")]),
      ];
      const none = folder === "" ? NO_NOTES : "There is nothing in it.";
      return { data, text: rows.length === 0 ? none : table([folder || "memory", ""], rows) };
    });
  },
};
