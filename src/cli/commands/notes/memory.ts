import type { Command } from "../../command.ts";
import { type Actions, chooseAction } from "../../subcommands.ts";
import { exportNotes } from "./export.ts";
import { add, list, remove, use } from "./folders.ts";

const ACTIONS: Actions = { list, add, remove, use, export: exportNotes };

export const memoryCommand: Command = {
  name: "memory",
  summary: "which folders are memory: show, add, remove, choose the main one, export",
  usage: "memory list|add|remove|use|export [FOLDER]",
  group: "notes",
  options: { all: { type: "boolean", help: "export: the folders that are only read as well" } },
  words: Object.keys(ACTIONS),
  run: (input) => chooseAction("memory", ACTIONS, input, "list")(input),
};
