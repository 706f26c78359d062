import { keepEvents } from "../../../sources/sets/events.ts";
import { findHome } from "../../../store/home.ts";
import type { Command } from "../../command.ts";
import { type Actions, chooseAction } from "../../subcommands.ts";
import { clear, set } from "./change.ts";
import { pin } from "./pin.ts";
import { get } from "./show.ts";

const ACTIONS: Actions = { get, set, clear, pin };

export const setsCommand: Command = {
  name: "sets",
  summary: "pin files and facts for a session",
  usage: "sets [SUBCOMMAND]",
  section: "sessions",
  guide:
    "A set is a named list that a session keeps, such as files or ports. After a resume or a compaction, the agent receives it again.",
  options: {
    merge: { type: "boolean", help: "add the items instead of replacing the set" },
    all: { type: "boolean", help: "every set of the session" },
    yes: { type: "boolean", help: "do not ask before every set is emptied" },
    session: {
      type: "string",
      value: "ID",
      help: "the session",
      fallback: "the current or last one of this project",
    },
    host: { type: "string", value: "AGENT", help: "only sessions of this agent", fallback: "all agents" },
    name: { type: "string", value: "NAME", help: "name the session", fallback: "its name stays" },
    "env-hint": {
      type: "string",
      value: "TEXT",
      help: "a hint about the environment, for the agent",
      fallback: "it stays",
    },
  },
  arguments: {
    SET: { help: "name of the set, such as files" },
    ITEM: { help: "what it contains: paths, ports, anything" },
    NUMBER: { help: "a file of the list that continuo sets pin shows" },
    PATH: { help: "a file, even if the session has not used it" },
  },
  subcommands: [
    {
      name: "get",
      args: "[SET]",
      summary: "show the sets of the session",
      options: ["session", "host"],
      examples: [["continuo sets get files", "show one set"]],
    },
    {
      name: "set",
      args: "SET ITEM…",
      summary: "replace a set",
      options: ["merge", "session", "host", "name", "env-hint"],
      examples: [
        ["continuo sets set files spec.md", "make spec.md the only pinned file"],
        ["continuo sets set ports 5432 8080 --merge", "add two ports"],
      ],
    },
    {
      name: "clear",
      args: "SET…",
      summary: "empty sets",
      guide: "It prints the command that puts them back. With --all it asks first.",
      options: ["all", "yes", "session", "host"],
      examples: [["continuo sets clear --all", "empty every set of the session"]],
    },
    {
      name: "pin",
      args: "[NUMBER|PATH…]",
      summary: "pin files that the session used",
      guide: "Adds them to the set files. Without arguments, it lists the files in use with their numbers.",
      options: ["session", "host"],
      examples: [
        ["continuo sets pin", "list the files in use"],
        ["continuo sets pin 1 lib/cart.ts", "pin the first of them and another file"],
      ],
    },
  ],
  examples: [["continuo sets set files spec.md", "the agent gets spec.md again after each compaction"]],
  async run(input) {
    const action = chooseAction("sets", ACTIONS, input, "get");
    const stop = keepEvents(findHome(input.env));
    try {
      return await action(input);
    } finally {
      stop();
    }
  },
};
