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
  summary: "past sessions of every host: find, ask, show, resume, hand over",
  usage: "sessions [ACTION] [SESSION]",
  options: SESSION_OPTIONS,
  words: Object.keys(ACTIONS),
  uses: [
    ["list", "the latest ones; also without a word"],
    ["search QUERY…", "the best passage of each that has these words"],
    ["show SESSION", "its goal, decisions, outcome, files, and where it comes from"],
    ["ask SESSION QUESTION…", "quotes that answer"],
    ["resume SESSION", "the command that goes on with it"],
    ["handoff [SESSION]", "a text for a new session in any host"],
    ["export SESSION", "all of it as Markdown"],
    ["name SESSION NAME…", "calls it so, for good"],
    ["forget SESSION", "takes it out, for good; the host's file stays"],
    ["index", "reads everything that is new"],
    ["describe [SESSION]", "has a model that you named write its record; --all: those of all"],
    ["receipt [SESSION]", "what Continuo told it, and at what cost"],
  ],
  run: (input) => chooseAction("sessions", ACTIONS, input, "list")(input),
};
