import type { Command } from "../../command.ts";
import { type Actions, chooseAction } from "../../subcommands.ts";
import { exportNotes } from "./export.ts";
import { add, list, remove, use } from "./memory-folders.ts";

const ACTIONS: Actions = { list, add, remove, use, export: exportNotes };

export const memoryCommand: Command = {
  name: "memory",
  summary: "choose the folders for your notes",
  usage: "memory [SUBCOMMAND]",
  section: "notes",
  isMinor: true,
  guide:
    "Notes are Markdown files. Continuo writes to the main folder, and can read other folders without changing them, such as an Obsidian vault.",
  options: { all: { type: "boolean", help: "include the notes of the read-only folders" } },
  arguments: { FOLDER: { help: "a folder of Markdown files" } },
  subcommands: [
    {
      name: "list",
      summary: "list the notes folders",
      options: [],
      examples: [["continuo memory list", "show each folder and how many notes it has"]],
    },
    {
      name: "add",
      args: "FOLDER",
      summary: "read notes from another folder too, without copying them",
      options: [],
      examples: [["continuo memory add ~/Obsidian/work", "find the notes of an Obsidian vault too"]],
    },
    {
      name: "remove",
      args: "FOLDER",
      summary: "stop reading an added folder; its files are kept",
      options: [],
      examples: [["continuo memory remove ~/Obsidian/work", "undo continuo memory add"]],
    },
    {
      name: "use",
      args: "FOLDER",
      summary: "make a folder the main one: new notes go there",
      options: [],
      examples: [["continuo memory use ~/notes", "keep new notes in ~/notes"]],
    },
    {
      name: "export",
      args: "FOLDER",
      summary: "copy the notes to a folder",
      options: ["all"],
      examples: [["continuo memory export ~/backup/notes --all", "copy the notes of every folder"]],
    },
  ],
  examples: [["continuo memory", "list the folders that notes are read from"]],
  run: (input) => chooseAction("memory", ACTIONS, input, "list")(input),
};
