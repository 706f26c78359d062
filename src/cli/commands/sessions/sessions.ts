import type { Command } from "../../command.ts";
import { type Actions, chooseAction } from "../../subcommands.ts";
import { SESSION_OPTIONS } from "./with-sessions.ts";

/** Each is loaded when it is used: most need code that the others do not. */
const ACTIONS: Actions = {
  list: async (input) => (await import("./list.ts")).list(input),
  show: async (input) => (await import("./show.ts")).show(input),
  search: async (input) => (await import("./search.ts")).search(input),
  ask: async (input) => (await import("./ask.ts")).ask(input),
  index: async (input) => (await import("./change.ts")).indexAll(input),
  describe: async (input) => (await import("./describe.ts")).describe(input),
  name: async (input) => (await import("./change.ts")).name(input),
  resume: async (input) => (await import("./show.ts")).resume(input),
  handoff: async (input) => (await import("./show.ts")).handoff(input),
  forget: async (input) => (await import("./change.ts")).forget(input),
  export: async (input) => (await import("./show.ts")).exportSession(input),
  receipt: async (input) => (await import("./receipt.ts")).receipt(input),
};

export const sessionsCommand: Command = {
  name: "sessions",
  summary: "past sessions of all hosts: search, show, ask, resume, hand over",
  usage: "sessions [SUBCOMMAND] [SESSION]",
  options: SESSION_OPTIONS,
  words: Object.keys(ACTIONS),
  uses: [
    ["list", "list recent sessions (default)"],
    ["search QUERY…", "search; shows the best passage of each session"],
    ["show SESSION", "show its goal, decisions, outcome, files and origin"],
    ["ask SESSION QUESTION…", "answer a question about a session"],
    ["resume SESSION", "print the command that resumes it"],
    ["handoff [SESSION]", "print a summary for a new session in any host"],
    ["export SESSION", "print the whole session as Markdown"],
    ["name SESSION NAME…", "rename a session"],
    ["forget SESSION", "remove it from the index; the original transcript is kept"],
    ["index", "index all new sessions"],
    ["describe [SESSION]", "summarise with the configured model; --all: every session"],
    ["receipt [SESSION]", "everything Continuo added to it, and the token cost"],
  ],
  run: (input) => chooseAction("sessions", ACTIONS, input, "list")(input),
};
