import type { Command } from "../../command.ts";
import { type Actions, chooseAction } from "../../subcommands.ts";
import { forget, indexAll, name } from "./change.ts";
import { describe } from "./describe.ts";
import { list } from "./list.ts";
import { receipt } from "./receipt.ts";
import { ask, search } from "./search.ts";
import { exportSession, handoff, resume, show } from "./show.ts";
import { SESSION_OPTIONS } from "./with-sessions.ts";

const ACTIONS: Actions = {
  list,
  show,
  search,
  ask,
  index: indexAll,
  describe,
  name,
  resume,
  handoff,
  forget,
  export: exportSession,
  receipt,
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
